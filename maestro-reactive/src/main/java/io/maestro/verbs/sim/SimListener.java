package io.maestro.verbs.sim;

import io.maestro.verbs.ConnectionRequestHandler;
import io.maestro.verbs.Listener;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A bound address that accepts connections. */
final class SimListener implements Listener {
  private final SimDevice device;
  private final Network network;
  private final ConnectionRequestHandler handler;
  private final InetSocketAddress local;
  private final Set<Transport> unanswered = new HashSet<>();

  SimListener(
      SimDevice device,
      Network network,
      InetSocketAddress wanted,
      ConnectionRequestHandler handler) {
    this.device = device;
    this.network = network;
    this.handler = handler;
    local = network.bind(wanted, this);
  }

  @Override
  public InetSocketAddress local() {
    return local;
  }

  /** A peer's request is here; on the driving thread. */
  void requested(Transport transport, ByteBuffer privateData) {
    unanswered.add(transport);
    SimRequest request = new SimRequest(device, this, transport, privateData);
    device.firstLoop().post(() -> request.handleWith(handler));
  }

  void answered(Transport transport) {
    unanswered.remove(transport);
  }

  /** Refuses whoever still waits; on the driving thread. */
  void refuseAll() {
    for (Transport transport : List.copyOf(unanswered)) {
      transport.end(
          new VerbsException(Kind.CLOSED, transport + ": the device was closed"),
          Farewell.of(Kind.REFUSED, "the peer's device was closed"));
    }
    unanswered.clear();
  }

  @Override
  public void close() {
    network.unbind(local, this);
  }
}
