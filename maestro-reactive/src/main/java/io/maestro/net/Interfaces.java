package io.maestro.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the interfaces of this machine, or of this network namespace. */
final class Interfaces {
  private static final Path IPV6_ADDRESSES = Path.of("/proc/self/net/if_inet6");
  private static final int FLAGS_COLUMN = 4;

  /** IFA_F_TENTATIVE and IFA_F_DADFAILED of linux/if_addr.h: the kernel refuses to bind to them. */
  private static final int NOT_READY = 0x40 | 0x08;

  private Interfaces() {}

  /** All interfaces that have an address. */
  static List<InterfaceState> read() {
    Set<String> notReady = notReady();
    try {
      return NetworkInterface.networkInterfaces().map(nic -> state(nic, notReady)).toList();
    } catch (SocketException e) {
      throw new UncheckedIOException("the network interfaces cannot be read", e);
    }
  }

  private static InterfaceState state(NetworkInterface nic, Set<String> notReady) {
    try {
      return new InterfaceState(
          nic.getName(),
          nic.getIndex(),
          kind(nic),
          nic.isUp(),
          nic.getMTU(),
          nic.getInterfaceAddresses().stream().map(each -> assigned(each, notReady)).toList());
    } catch (SocketException goneMeanwhile) {
      return new InterfaceState(
          nic.getName(), nic.getIndex(), VirtualNic.Kind.ORDINARY, false, 0, List.of());
    }
  }

  private static VirtualNic.Kind kind(NetworkInterface nic) throws SocketException {
    if (nic.isLoopback()) {
      return VirtualNic.Kind.LOOPBACK;
    }
    return nic.isPointToPoint() ? VirtualNic.Kind.POINT_TO_POINT : VirtualNic.Kind.ORDINARY;
  }

  private static InterfaceState.Assigned assigned(InterfaceAddress each, Set<String> notReady) {
    InetAddress address = each.getAddress();
    String bytes = HexFormat.of().formatHex(address.getAddress());
    return new InterfaceState.Assigned(
        withoutScope(address), each.getNetworkPrefixLength(), !notReady.contains(bytes));
  }

  /** The JDK gives every IPv6 address the scope of its interface; only link-local ones need it. */
  private static InetAddress withoutScope(InetAddress address) {
    if (!(address instanceof Inet6Address) || address.isLinkLocalAddress()) {
      return address;
    }
    try {
      return InetAddress.getByAddress(address.getAddress());
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Set<String> notReady() {
    try {
      return Files.readAllLines(IPV6_ADDRESSES, StandardCharsets.US_ASCII).stream()
          .map(line -> line.trim().split("\\s+", -1))
          .filter(columns -> columns.length > FLAGS_COLUMN)
          .filter(columns -> (Integer.parseInt(columns[FLAGS_COLUMN], 16) & NOT_READY) != 0)
          .map(columns -> columns[0])
          .collect(Collectors.toUnmodifiableSet());
    } catch (IOException notLinuxOrNoIpv6) {
      return Set.of();
    }
  }
}
