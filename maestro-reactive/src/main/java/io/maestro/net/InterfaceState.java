package io.maestro.net;

import java.net.InetAddress;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * An interface at one moment.
 *
 * @param up it is switched on and has a carrier
 */
record InterfaceState(
    String name,
    int index,
    VirtualNic.Kind kind,
    boolean up,
    int mtuBytes,
    List<Assigned> addresses) {

  /**
   * An address of the interface.
   *
   * @param ready it can be bound to: not being checked for duplicates, and not found to be one
   */
  record Assigned(InetAddress address, int prefixLength, boolean ready) {}

  /** IPv4 first, then by value. */
  private static final Comparator<InetAddress> BY_VALUE =
      Comparator.comparing(InetAddress::getAddress, Comparator.comparingInt(bytes -> bytes.length))
          .thenComparing(address -> HexFormat.of().formatHex(address.getAddress()));

  /** The addresses of these interfaces that a filter wants, by interface and value. */
  static List<VirtualNic> select(List<InterfaceState> interfaces, NicFilter filter) {
    return interfaces.stream()
        .sorted(Comparator.comparingInt(InterfaceState::index))
        .filter(filter::accepts)
        .flatMap(
            state ->
                state.addresses.stream()
                    .filter(Assigned::ready)
                    .filter(assigned -> filter.accepts(assigned.address))
                    .sorted(Comparator.comparing(Assigned::address, BY_VALUE))
                    .distinct()
                    .map(state::nic))
        .toList();
  }

  private VirtualNic nic(Assigned assigned) {
    return new VirtualNic(name, assigned.address, assigned.prefixLength, mtuBytes, kind);
  }

  boolean has(InetAddress address) {
    return addresses.stream().anyMatch(assigned -> assigned.address.equals(address));
  }
}
