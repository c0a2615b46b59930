package io.maestro.verbs.ffi;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Finds the file descriptor of one of this process's TCP connections by its addresses.
 *
 * <p>The JDK keeps it to itself; Linux shows it: {@code /proc/self/net/tcp} and {@code tcp6} name
 * the inode of each connection, and {@code /proc/self/fd} the inode of each descriptor.
 */
public final class SocketDescriptors {
  private static final Path PROC = Path.of("/proc/self");
  private static final int LOCAL_COLUMN = 1;
  private static final int REMOTE_COLUMN = 2;
  private static final int INODE_COLUMN = 9;

  private SocketDescriptors() {}

  /**
   * Looks for a connection. Reads files of the kernel, in time proportional to the sockets of the
   * machine: not for an event loop.
   *
   * @return empty when it is not found or the system is not Linux
   */
  public static OptionalInt find(InetSocketAddress local, InetSocketAddress remote) {
    if (!Files.isDirectory(PROC.resolve("fd"))) {
      return OptionalInt.empty();
    }
    boolean v6 = local.getAddress() instanceof Inet6Address;
    try (Stream<String> lines =
        Files.lines(PROC.resolve(v6 ? "net/tcp6" : "net/tcp"), StandardCharsets.US_ASCII)) {
      String from = hex(local);
      String to = hex(remote);
      return lines
          .map(line -> line.trim().split("\\s+", -1))
          .filter(columns -> columns.length > INODE_COLUMN)
          .filter(c -> c[LOCAL_COLUMN].equals(from) && c[REMOTE_COLUMN].equals(to))
          .mapToInt(columns -> descriptorOf(columns[INODE_COLUMN]))
          .filter(fd -> fd >= 0)
          .findFirst();
    } catch (IOException | RuntimeException e) {
      return OptionalInt.empty();
    }
  }

  private static int descriptorOf(String inode) {
    Path wanted = Path.of("socket:[" + inode + "]");
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(PROC.resolve("fd"))) {
      for (Path descriptor : descriptors) {
        if (isLinkTo(descriptor, wanted)) {
          return Integer.parseInt(descriptor.getFileName().toString());
        }
      }
    } catch (IOException e) {
      return -1;
    }
    return -1;
  }

  private static boolean isLinkTo(Path descriptor, Path wanted) {
    try {
      return Files.readSymbolicLink(descriptor).equals(wanted);
    } catch (IOException e) {
      // Closed while we looked.
      return false;
    }
  }

  /** As the kernel prints it: each 32-bit word of the address in the order of the machine. */
  static String hex(InetSocketAddress address) {
    InetAddress ip = address.getAddress();
    ByteBuffer words = ByteBuffer.wrap(ip.getAddress()).order(ByteOrder.nativeOrder());
    StringBuilder text = new StringBuilder();
    while (words.hasRemaining()) {
      text.append(String.format(Locale.ROOT, "%08X", words.getInt()));
    }
    return text.append(String.format(Locale.ROOT, ":%04X", address.getPort())).toString();
  }
}
