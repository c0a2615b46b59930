package io.maestro.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * What this host's network settings say. Methods may be called from any thread and take no longer
 * than a look into the kernel.
 */
public final class LocalHost {
  private static final Path EPHEMERAL_PORTS = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int FIRST_PORT = 10_000;
  private static final int LAST_PORT = 65_535;
  private static final int ENOUGH_PORTS = 1024;

  private LocalHost() {}

  /** The address that the system would send from to a remote; empty when there is no route. */
  public static Optional<InetAddress> sourceFor(InetSocketAddress remote) {
    // Connecting a datagram socket sends nothing: it looks the route up.
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.connect(remote);
      return channel.getLocalAddress() instanceof InetSocketAddress local
              && !local.getAddress().isAnyLocalAddress()
          ? Optional.of(local.getAddress())
          : Optional.empty();
    } catch (IOException | RuntimeException noRoute) {
      return Optional.empty();
    }
  }

  /** The name of the network interface that has an address. */
  public static Optional<String> interfaceOf(InetAddress address) {
    try {
      return Optional.ofNullable(NetworkInterface.getByInetAddress(address))
          .map(NetworkInterface::getName);
    } catch (SocketException unknown) {
      return Optional.empty();
    }
  }

  /**
   * Different source ports, drawn by chance from those that the system does not give to others of
   * its own accord; from all high ports where it gives away nearly all.
   *
   * @param below gives a random number from 0 to below its argument
   */
  public static List<Integer> ports(int count, IntUnaryOperator below) {
    List<PortRange> ranges = freeRanges();
    int total = ranges.stream().mapToInt(PortRange::size).sum();
    return IntStream.generate(() -> below.applyAsInt(total))
        .distinct()
        .limit(Math.min(count, total))
        .map(index -> port(ranges, index))
        .boxed()
        .toList();
  }

  private static int port(List<PortRange> ranges, int index) {
    int left = index;
    for (PortRange range : ranges) {
      if (left < range.size()) {
        return range.first + left;
      }
      left -= range.size();
    }
    throw new IllegalArgumentException("there is no port number " + index);
  }

  private record PortRange(int first, int last) {
    int size() {
      return Math.max(0, last - first + 1);
    }
  }

  private static List<PortRange> freeRanges() {
    int[] given = ephemeralPorts();
    PortRange below = new PortRange(FIRST_PORT, given[0] - 1);
    PortRange above = new PortRange(Math.max(FIRST_PORT, given[1] + 1), LAST_PORT);
    return below.size() + above.size() >= ENOUGH_PORTS
        ? List.of(below, above)
        : List.of(new PortRange(FIRST_PORT, LAST_PORT));
  }

  /** First and last of the ports that the system gives to sockets that name none. */
  private static int[] ephemeralPorts() {
    try {
      String[] words =
          Files.readString(EPHEMERAL_PORTS, StandardCharsets.US_ASCII).trim().split("\\s+", -1);
      OptionalInt first = number(words, 0);
      OptionalInt last = number(words, 1);
      if (first.isPresent() && last.isPresent()) {
        return new int[] {first.getAsInt(), last.getAsInt()};
      }
    } catch (IOException notLinux) {
      // The range of RFC 6335, which other systems use.
    }
    return new int[] {49_152, LAST_PORT};
  }

  private static OptionalInt number(String[] words, int index) {
    try {
      return index < words.length
          ? OptionalInt.of(Integer.parseInt(words[index]))
          : OptionalInt.empty();
    } catch (NumberFormatException notANumber) {
      return OptionalInt.empty();
    }
  }
}
