package io.maestro.net;

import java.net.InetSocketAddress;

/**
 * A 5-tuple whose route is asked for.
 *
 * @param protocol of its packets
 * @param local local address and source port
 * @param remote peer's address and destination port
 */
public record ProbeTarget(Protocol protocol, InetSocketAddress local, InetSocketAddress remote) {

  /** What carries the path's packets. */
  public enum Protocol {
    /** TCP, as of iWARP. */
    TCP,
    /** UDP, as of RoCE v2. */
    UDP
  }
}
