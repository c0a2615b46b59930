package io.maestro.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;

/**
 * An address that an interface shall have.
 *
 * @param interfaceName such as {@code eth0}
 * @param address a unicast address
 * @param prefixLength bits of its network, which the host then takes for directly connected
 */
public record Alias(String interfaceName, InetAddress address, int prefixLength) {
  // IFNAMSIZ of linux/if.h is 16 with its final 0.
  private static final String INTERFACE_NAME = "[A-Za-z0-9_][A-Za-z0-9_.@-]{0,14}";

  /** Checks the values. */
  public Alias {
    int bits = address.getAddress().length * Byte.SIZE;
    if (!interfaceName.matches(INTERFACE_NAME)) {
      throw new IllegalArgumentException("'" + interfaceName + "' is no name of an interface");
    }
    if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
      throw new IllegalArgumentException(text(address) + " is no address of one host");
    }
    if (prefixLength < 1 || prefixLength > bits) {
      throw new IllegalArgumentException(
          "prefixLength must be 1 to %d, was %d".formatted(bits, prefixLength));
    }
  }

  /**
   * An alias whose network is itself: it brings no route with it and is no "secondary" of another
   * address, so that neither it nor others vanish when one is removed.
   */
  public static Alias of(String interfaceName, InetAddress address) {
    return new Alias(interfaceName, address, address.getAddress().length * Byte.SIZE);
  }

  /** The command that adds it, without a prefix such as {@code sudo}. */
  public List<String> addCommand() {
    List<String> command = List.of("ip", "addr", "add", network(), "dev", interfaceName);
    // Without nodad an IPv6 address cannot be bound to for a second or two. As with IPv4, nobody
    // then checks whether another host has it.
    return address instanceof Inet6Address
        ? List.of("ip", "addr", "add", network(), "dev", interfaceName, "nodad")
        : command;
  }

  /** The command that removes it. */
  public List<String> removeCommand() {
    return List.of("ip", "addr", "del", network(), "dev", interfaceName);
  }

  private String network() {
    return text(address) + "/" + prefixLength;
  }

  private static String text(InetAddress address) {
    return address.getHostAddress().replaceFirst("%.*", "");
  }

  @Override
  public String toString() {
    return network() + " on " + interfaceName;
  }
}
