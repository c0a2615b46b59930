package io.maestro.net;

import java.net.InetAddress;

/**
 * One local address that a path can be bound to.
 *
 * @param interfaceName the interface that has it; addresses of one interface share its link
 * @param address without a scope, unless it is link-local
 * @param prefixLength bits of its network
 * @param mtuBytes of the interface
 * @param kind of the interface
 */
public record VirtualNic(
    String interfaceName, InetAddress address, int prefixLength, int mtuBytes, Kind kind) {

  /** What an interface is. */
  public enum Kind {
    /** Leads to other hosts. */
    ORDINARY,
    /** Leads to this host alone. */
    LOOPBACK,
    /** Leads to one other host, such as a tunnel. */
    POINT_TO_POINT
  }
}
