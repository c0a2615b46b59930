package io.maestro.verbs.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The kernel's account of one TCP connection: {@code getsockopt(TCP_INFO)} of Linux.
 *
 * <p>Offsets are those of {@code struct tcp_info} in {@code linux/tcp.h}; the kernel only ever
 * appends to it, and says how much of it it knows. Not thread-safe: one instance for each
 * connection and thread. A call takes a few microseconds and does not block.
 */
public final class TcpInfo {
  /** The value of a field that this kernel does not have. */
  public static final long ABSENT = -1;

  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;
  private static final int BUFFER_BYTES = 256;

  private static final int OPTIONS = 5;
  private static final int OPTION_ECN = 8;
  private static final int UNACKED = 24;
  private static final int LAST_ACK_RECEIVED = 56;
  private static final int RTT = 68;
  private static final int TOTAL_RETRANSMITS = 100;
  private static final int NOT_SENT_BYTES = 144;
  private static final int DELIVERY_RATE = 160;
  private static final int DELIVERED = 192;
  private static final int DELIVERED_CE = 196;
  private static final int SEND_WINDOW = 228;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final int fd;
  private final MethodHandle getsockopt;
  private final MemorySegment info;
  private final MemorySegment length;
  private int knownBytes;

  private TcpInfo(int fd, MethodHandle getsockopt) {
    this.fd = fd;
    this.getsockopt = getsockopt;
    // Freed when this object is unreachable.
    Arena arena = Arena.ofAuto();
    this.info = arena.allocate(BUFFER_BYTES, Long.BYTES);
    this.length = arena.allocate(Integer.BYTES, Integer.BYTES);
  }

  /**
   * For an open TCP socket, as long as it stays open; empty where the system has no such call.
   *
   * @param fd the socket's file descriptor
   */
  @SuppressWarnings("restricted") // the one place that may make downcalls
  public static Optional<TcpInfo> of(int fd) {
    boolean known =
        System.getProperty("os.name").equals("Linux")
            && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    if (!known) {
      return Optional.empty();
    }
    try {
      Linker linker = Linker.nativeLinker();
      FunctionDescriptor signature =
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS);
      return linker
          .defaultLookup()
          .find("getsockopt")
          .map(address -> new TcpInfo(fd, linker.downcallHandle(address, signature)));
    } catch (RuntimeException | LinkageError e) {
      // Native access is denied to this program, or this JDK has no linker.
      return Optional.empty();
    }
  }

  /** Asks the kernel; false when it does not answer, and then nothing here means anything. */
  public boolean refresh() {
    length.set(INT, 0, BUFFER_BYTES);
    try {
      int result = (int) getsockopt.invokeExact(fd, IPPROTO_TCP, TCP_INFO, info, length);
      knownBytes = result == 0 ? length.get(INT, 0) : 0;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a native call cannot throw", e);
    }
    return knownBytes > 0;
  }

  /** Whether the connection negotiated ECN: without it no packet can be marked. */
  public boolean hasEcn() {
    return knownBytes > OPTIONS && (info.get(ValueLayout.JAVA_BYTE, OPTIONS) & OPTION_ECN) != 0;
  }

  /** Smoothed round-trip time in microseconds; 0 before the first sample. */
  public long rttUs() {
    return unsignedInt(RTT);
  }

  /** Segments sent again so far, modulo 2^32. */
  public long retransmits() {
    return unsignedInt(TOTAL_RETRANSMITS);
  }

  /** Segments delivered so far, modulo 2^32. */
  public long delivered() {
    return unsignedInt(DELIVERED);
  }

  /** Segments delivered with a congestion mark so far, modulo 2^32. */
  public long deliveredCe() {
    return unsignedInt(DELIVERED_CE);
  }

  /** Current delivery rate in bytes per second; 0 before the first sample. */
  public long deliveryRate() {
    return knownBytes < DELIVERY_RATE + Long.BYTES ? ABSENT : info.get(LONG, DELIVERY_RATE);
  }

  /** Segments that were sent and not acknowledged by the peer's kernel. */
  public long unacked() {
    return unsignedInt(UNACKED);
  }

  /** Time since the peer's kernel last acknowledged anything, in milliseconds. */
  public long lastAckMs() {
    return unsignedInt(LAST_ACK_RECEIVED);
  }

  /** Bytes in the socket that have not been sent yet. */
  public long notSentBytes() {
    return unsignedInt(NOT_SENT_BYTES);
  }

  /** Bytes that the peer's kernel has room for; from Linux 6.2 on. */
  public long sendWindowBytes() {
    return unsignedInt(SEND_WINDOW);
  }

  private long unsignedInt(int offset) {
    return knownBytes < offset + Integer.BYTES
        ? ABSENT
        : Integer.toUnsignedLong(info.get(INT, offset));
  }
}
