package io.maestro.route;

import io.maestro.net.ProbeTarget;
import io.maestro.path.FiveTuple;
import io.maestro.path.RocePort;
import io.maestro.verbs.WireProtocol;
import java.net.InetSocketAddress;

/**
 * The addresses and ports of a possible path.
 *
 * @param local what the queue pair is bound to
 * @param remote what it connects to
 */
record Tuple(InetSocketAddress local, InetSocketAddress remote) {

  /** What the network sees of its packets. */
  FiveTuple onTheWire(WireProtocol wire) {
    ProbeTarget target = target(wire);
    boolean tcp = target.protocol() == ProbeTarget.Protocol.TCP;
    return new FiveTuple(
        target.local().getAddress(),
        target.local().getPort(),
        target.remote().getAddress(),
        target.remote().getPort(),
        tcp ? FiveTuple.TCP : FiveTuple.UDP);
  }

  /** What to probe. */
  ProbeTarget target(WireProtocol wire) {
    if (wire != WireProtocol.ROCE_V2) {
      return new ProbeTarget(ProbeTarget.Protocol.TCP, local, remote);
    }
    int port = RocePort.ofConnection(local.getPort(), remote.getPort());
    return new ProbeTarget(
        ProbeTarget.Protocol.UDP,
        new InetSocketAddress(local.getAddress(), port),
        new InetSocketAddress(remote.getAddress(), RocePort.DESTINATION));
  }
}
