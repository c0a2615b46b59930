package io.maestro.verbs.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * A non-blocking socket of Linux with what the JDK's sockets hide: the hop limit and the error
 * queue. Nothing blocks but {@link #poll}. Calls return 0 or the positive {@code errno}. Not
 * thread-safe.
 */
public final class NativeSocket implements AutoCloseable {
  /** EINPROGRESS: the connection is being made. */
  public static final int IN_PROGRESS = 115;

  /** EADDRINUSE: another socket has the port. */
  public static final int ADDRESS_IN_USE = 98;

  /** EADDRNOTAVAIL: no such local address, or the 5-tuple is taken. */
  public static final int ADDRESS_NOT_AVAILABLE = 99;

  /** ECONNREFUSED: the peer answered that nobody listens. */
  public static final int REFUSED = 111;

  /** EPERM: this program lacks a capability. */
  public static final int NOT_PERMITTED = 1;

  private static final int SOL_IP = 0;
  private static final int SOL_SOCKET = 1;
  private static final int SOL_IPV6 = 41;
  private static final int IP_TTL = 2;
  private static final int IP_RECVERR = 11;
  private static final int IPV6_UNICAST_HOPS = 16;
  private static final int IPV6_RECVERR = 25;
  private static final int SO_REUSEADDR = 2;
  private static final int SO_ERROR = 4;
  private static final int SO_LINGER = 13;
  private static final int SO_ATTACH_FILTER = 26;
  private static final int SOCK_NONBLOCK = 0x800;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int BAD_DESCRIPTOR = 9;

  /** What a socket carries. */
  public enum Kind {
    /** A TCP connection. */
    STREAM(1, 0),
    /** UDP datagrams. */
    DATAGRAM(2, 0),
    /** TCP segments made here; needs CAP_NET_RAW. */
    RAW_TCP(3, 6),
    /** UDP datagrams made here; needs CAP_NET_RAW. */
    RAW_UDP(3, 17);

    private final int type;
    private final int protocol;

    Kind(int type, int protocol) {
      this.type = type;
      this.protocol = protocol;
    }
  }

  private final Libc libc;
  private final Kind kind;
  private final boolean v6;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment errno = Libc.allocateErrno(arena);
  private int fd;

  private NativeSocket(Libc libc, Kind kind, boolean v6) {
    this.libc = libc;
    this.kind = kind;
    this.v6 = v6;
  }

  /** Why there are no such sockets here; empty when there are. */
  public static Optional<String> unavailable() {
    return Libc.instance().isPresent()
        ? Optional.empty()
        : Optional.of(
            "native sockets need Linux on x86-64 or aarch64 and --enable-native-access for this"
                + " library");
  }

  /**
   * Opens a socket of the family of an address, for the calling thread only.
   *
   * @throws UnsupportedOperationException where {@link #unavailable} says why
   * @throws NativeSocketException when the kernel refuses
   */
  public static NativeSocket open(InetAddress family, Kind kind) throws NativeSocketException {
    Libc libc =
        Libc.instance()
            .orElseThrow(() -> new UnsupportedOperationException(unavailable().orElse("")));
    boolean v6 = SocketAddresses.family(family) == SocketAddresses.AF_INET6;
    NativeSocket socket = new NativeSocket(libc, kind, v6);
    int type = kind.type | SOCK_NONBLOCK | SOCK_CLOEXEC;
    socket.fd = socket.call(libc.socket, SocketAddresses.family(family), type, kind.protocol);
    if (socket.fd < 0) {
      int error = Libc.errno(socket.errno);
      socket.arena.close();
      throw new NativeSocketException("socket", error);
    }
    if (kind.type == Kind.RAW_TCP.type) {
      socket.hearNothing();
    }
    return socket;
  }

  private int call(MethodHandle function, int a, int b, int c) {
    try {
      return (int) function.invokeExact(errno, a, b, c);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private static RuntimeException broken(Throwable e) {
    return new IllegalStateException("a native call cannot throw", e);
  }

  private int result(int returned) {
    return returned == 0 ? 0 : Libc.errno(errno);
  }

  /** Binds to a local address and port. */
  public int bind(InetSocketAddress local) {
    return addressCall(libc.bind, local);
  }

  /** Starts to connect; {@link #IN_PROGRESS} is the usual answer of a stream. */
  public int connect(InetSocketAddress remote) {
    return addressCall(libc.connect, remote);
  }

  private int addressCall(MethodHandle function, InetSocketAddress address) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment encoded = SocketAddresses.encode(address, call);
      return result((int) function.invokeExact(errno, fd, encoded, (int) encoded.byteSize()));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Limits how many hops packets travel from now on. */
  public int hopLimit(int hops) {
    return v6 ? option(SOL_IPV6, IPV6_UNICAST_HOPS, hops) : option(SOL_IP, IP_TTL, hops);
  }

  /** Lets the error queue collect what routers answer. */
  public int collectErrors() {
    return v6 ? option(SOL_IPV6, IPV6_RECVERR, 1) : option(SOL_IP, IP_RECVERR, 1);
  }

  /** Lets the port be shared with connections to other peers. */
  public int reuseAddress() {
    return option(SOL_SOCKET, SO_REUSEADDR, 1);
  }

  /** Lets closing reset a connection, which leaves nothing behind on either side. */
  public int resetOnClose() {
    try (Arena call = Arena.ofConfined()) {
      return option(SOL_SOCKET, SO_LINGER, call.allocateFrom(ValueLayout.JAVA_INT, 1, 0));
    }
  }

  private int option(int level, int name, int value) {
    try (Arena call = Arena.ofConfined()) {
      return option(level, name, call.allocateFrom(ValueLayout.JAVA_INT, value));
    }
  }

  private int option(int level, int name, MemorySegment value) {
    try {
      return result(
          (int) libc.setsockopt.invokeExact(errno, fd, level, name, value, (int) value.byteSize()));
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** A raw socket would get a copy of every packet of its protocol: a filter drops them all. */
  private void hearNothing() {
    try (Arena call = Arena.ofConfined()) {
      // One instruction of classic BPF, "return 0", and a struct sock_fprog that points to it.
      MemorySegment program = call.allocate(Long.BYTES, Long.BYTES);
      program.set(ValueLayout.JAVA_SHORT, 0, (short) 0x06);
      MemorySegment filter = call.allocate(2L * Long.BYTES, Long.BYTES);
      filter.set(ValueLayout.JAVA_SHORT, 0, (short) 1);
      filter.set(ValueLayout.ADDRESS, Long.BYTES, program);
      option(SOL_SOCKET, SO_ATTACH_FILTER, filter);
    }
  }

  /** The pending error of the socket, which this clears; 0 for none. */
  public int takeError() {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment value = call.allocate(ValueLayout.JAVA_INT);
      MemorySegment length = call.allocateFrom(ValueLayout.JAVA_INT, Integer.BYTES);
      int failed =
          result((int) libc.getsockopt.invokeExact(errno, fd, SOL_SOCKET, SO_ERROR, value, length));
      return failed == 0 ? value.get(ValueLayout.JAVA_INT, 0) : failed;
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Sends one packet to the peer it is connected to. */
  public int send(byte[] payload) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment bytes = call.allocateFrom(ValueLayout.JAVA_BYTE, payload);
      long sent =
          (long) libc.send.invokeExact(errno, fd, bytes, (long) payload.length, MSG_NOSIGNAL);
      return sent == payload.length ? 0 : Libc.errno(errno);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /** Takes the oldest entry of the error queue; empty when there is none. */
  public Optional<SocketError> takeQueuedError() {
    try (Arena call = Arena.ofConfined()) {
      ErrorMessage message = new ErrorMessage(call);
      long received =
          (long) libc.recvmsg.invokeExact(errno, fd, message.header(), ErrorMessage.FLAGS);
      return received < 0 ? Optional.empty() : message.decode((int) received);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  /**
   * Waits until one of the sockets has an error or, as a stream, is connected or refused, at most
   * for some milliseconds.
   *
   * @return for each socket whether it has something
   */
  public static boolean[] poll(List<NativeSocket> sockets, int timeoutMs) {
    PollSet.Entry[] entries =
        sockets.stream()
            .map(socket -> new PollSet.Entry(socket.fd, socket.kind == Kind.STREAM))
            .toArray(PollSet.Entry[]::new);
    return PollSet.poll(Libc.instance().orElseThrow(), entries, timeoutMs);
  }

  /** Closes the socket. Idempotent. */
  @Override
  public void close() {
    if (fd >= 0) {
      try {
        int closed = (int) libc.close.invokeExact(errno, fd);
        assert closed == 0 || Libc.errno(errno) != BAD_DESCRIPTOR : "closed twice";
      } catch (Throwable e) {
        throw broken(e);
      } finally {
        fd = -1;
        arena.close();
      }
    }
  }
}
