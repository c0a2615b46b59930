package io.maestro.net;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which local addresses are wanted. Immutable; {@link #USABLE} is where to start.
 *
 * @param kinds kinds of interfaces
 * @param linkLocal whether link-local addresses are wanted: they reach the same link only
 * @param down whether addresses of interfaces that are down or have no carrier are wanted
 * @param interfaces which interfaces, by name
 * @param addresses which addresses
 */
public record NicFilter(
    Set<VirtualNic.Kind> kinds,
    boolean linkLocal,
    boolean down,
    Predicate<String> interfaces,
    Predicate<InetAddress> addresses) {

  /** What can reach other hosts now: ordinary interfaces that are up, no link-local addresses. */
  public static final NicFilter USABLE =
      new NicFilter(
          EnumSet.of(VirtualNic.Kind.ORDINARY), false, false, name -> true, address -> true);

  /** Copies the set. */
  public NicFilter {
    kinds = Set.copyOf(kinds);
  }

  /** The same with one more kind of interfaces. */
  public NicFilter including(VirtualNic.Kind kind) {
    EnumSet<VirtualNic.Kind> more = EnumSet.of(kind);
    more.addAll(kinds);
    return new NicFilter(more, linkLocal, down, interfaces, addresses);
  }

  /** The same with link-local addresses. */
  public NicFilter includingLinkLocal() {
    return new NicFilter(kinds, true, down, interfaces, addresses);
  }

  /** The same with interfaces that are down or have no carrier. */
  public NicFilter includingDown() {
    return new NicFilter(kinds, linkLocal, true, interfaces, addresses);
  }

  /** The same on one interface only. */
  public NicFilter on(String interfaceName) {
    return new NicFilter(kinds, linkLocal, down, interfaceName::equals, addresses);
  }

  /** The same with IPv4 addresses only. */
  public NicFilter ipv4() {
    return new NicFilter(kinds, linkLocal, down, interfaces, Inet4Address.class::isInstance);
  }

  /** The same with IPv6 addresses only. */
  public NicFilter ipv6() {
    return new NicFilter(
        kinds, linkLocal, down, interfaces, address -> !(address instanceof Inet4Address));
  }

  boolean accepts(InterfaceState state) {
    return interfaces.test(state.name()) && kinds.contains(state.kind()) && (down || state.up());
  }

  boolean accepts(InetAddress address) {
    return (linkLocal || !address.isLinkLocalAddress())
        && !address.isAnyLocalAddress()
        && !address.isMulticastAddress()
        && addresses.test(address);
  }
}
