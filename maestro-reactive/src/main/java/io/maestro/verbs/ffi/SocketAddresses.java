package io.maestro.verbs.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** {@code struct sockaddr_in} and {@code sockaddr_in6} of Linux. */
final class SocketAddresses {
  static final int AF_INET = 2;
  static final int AF_INET6 = 10;

  private static final int IN_BYTES = 16;
  private static final int IN6_BYTES = 28;
  private static final int IN_ADDRESS = 4;
  private static final int IN6_ADDRESS = 8;
  private static final int IN6_SCOPE = 24;
  private static final ValueLayout.OfShort NATIVE_SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfShort NETWORK_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private SocketAddresses() {}

  static int family(InetAddress address) {
    return address instanceof Inet6Address ? AF_INET6 : AF_INET;
  }

  static MemorySegment encode(InetSocketAddress socket, Arena arena) {
    InetAddress address = socket.getAddress();
    boolean v6 = address instanceof Inet6Address;
    MemorySegment encoded = arena.allocate(v6 ? IN6_BYTES : IN_BYTES, Long.BYTES);
    encoded.set(NATIVE_SHORT, 0, (short) family(address));
    encoded.set(NETWORK_SHORT, 2, (short) socket.getPort());
    MemorySegment bytes = MemorySegment.ofArray(address.getAddress());
    encoded.asSlice(v6 ? IN6_ADDRESS : IN_ADDRESS).copyFrom(bytes);
    if (address instanceof Inet6Address scoped) {
      encoded.set(ValueLayout.JAVA_INT_UNALIGNED, IN6_SCOPE, scoped.getScopeId());
    }
    return encoded;
  }

  /** The address in a {@code sockaddr}; null when it holds none. */
  static @Nullable InetAddress decode(MemorySegment socket) {
    int family = socket.byteSize() < IN_BYTES ? 0 : socket.get(NATIVE_SHORT, 0);
    return switch (family) {
      case AF_INET -> address(socket, IN_ADDRESS, 4);
      case AF_INET6 -> socket.byteSize() < IN6_BYTES ? null : address(socket, IN6_ADDRESS, 16);
      default -> null;
    };
  }

  private static InetAddress address(MemorySegment socket, long offset, int bytes) {
    try {
      return InetAddress.getByAddress(socket.asSlice(offset, bytes).toArray(ValueLayout.JAVA_BYTE));
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
