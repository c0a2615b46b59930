package io.maestro.verbs.ffi.rdma;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A port of a device.
 *
 * @param number its number, from 1
 * @param state its state; null when it is not known here
 * @param linkLayer what it is connected to; null when it is not known here
 * @param activeMtu the largest payload that it sends; null when the device does not say
 * @param gids its addresses, in the order of its table
 */
public record RdmaPort(
    int number,
    @Nullable IbvPortState state,
    @Nullable IbvLinkLayer linkLayer,
    @Nullable IbvMtu activeMtu,
    List<RdmaGid> gids) {

  /** Copies the list. */
  public RdmaPort {
    gids = List.copyOf(gids);
  }

  /** Whether it carries data. */
  public boolean isActive() {
    return state == IbvPortState.ACTIVE;
  }

  /** The GID of an IP address for RoCE v2; empty when the port has none. */
  public Optional<RdmaGid> roceV2(InetAddress address) {
    return gids.stream()
        .filter(gid -> gid.type() == IbvGidType.ROCE_V2 && gid.address().equals(address))
        .findFirst();
  }
}
