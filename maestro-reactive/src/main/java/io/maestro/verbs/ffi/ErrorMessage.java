package io.maestro.verbs.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A {@code struct msghdr} with room for one entry of an error queue. Offsets are those of 64-bit
 * Linux: {@code msghdr}, {@code cmsghdr} and {@code sock_extended_err}.
 */
final class ErrorMessage {
  /** MSG_ERRQUEUE | MSG_DONTWAIT. */
  static final int FLAGS = 0x2000 | 0x40;

  private static final int HEADER_BYTES = 56;
  private static final int HEADER_IOV = 16;
  private static final int HEADER_IOV_COUNT = 24;
  private static final int HEADER_CONTROL = 32;
  private static final int HEADER_CONTROL_LENGTH = 40;
  private static final int PAYLOAD_BYTES = 128;
  private static final int CONTROL_BYTES = 512;
  private static final int CONTROL_HEADER_BYTES = 16;
  private static final int CONTROL_LEVEL = 8;
  private static final int CONTROL_TYPE = 12;
  private static final int ERROR_BYTES = 16;
  private static final int SOL_IP = 0;
  private static final int IP_RECVERR = 11;
  private static final int SOL_IPV6 = 41;
  private static final int IPV6_RECVERR = 25;

  private final MemorySegment header;
  private final MemorySegment payload;
  private final MemorySegment control;

  ErrorMessage(Arena arena) {
    header = arena.allocate(HEADER_BYTES, Long.BYTES);
    payload = arena.allocate(PAYLOAD_BYTES, Long.BYTES);
    control = arena.allocate(CONTROL_BYTES, Long.BYTES);
    MemorySegment vector = arena.allocate(2L * Long.BYTES, Long.BYTES);
    vector.set(ValueLayout.ADDRESS, 0, payload);
    vector.set(ValueLayout.JAVA_LONG, Long.BYTES, PAYLOAD_BYTES);
    header.set(ValueLayout.ADDRESS, HEADER_IOV, vector);
    header.set(ValueLayout.JAVA_LONG, HEADER_IOV_COUNT, 1);
    header.set(ValueLayout.ADDRESS, HEADER_CONTROL, control);
    header.set(ValueLayout.JAVA_LONG, HEADER_CONTROL_LENGTH, CONTROL_BYTES);
  }

  MemorySegment header() {
    return header;
  }

  Optional<SocketError> decode(int payloadBytes) {
    long end = header.get(ValueLayout.JAVA_LONG, HEADER_CONTROL_LENGTH);
    long at = 0;
    while (at + CONTROL_HEADER_BYTES <= end) {
      long length = control.get(ValueLayout.JAVA_LONG, at);
      if (length < CONTROL_HEADER_BYTES || at + length > end) {
        return Optional.empty();
      }
      if (isError(at) && length >= CONTROL_HEADER_BYTES + ERROR_BYTES) {
        MemorySegment data =
            control.asSlice(at + CONTROL_HEADER_BYTES, length - CONTROL_HEADER_BYTES);
        return Optional.of(decode(data, payloadBytes));
      }
      at += (length + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    }
    return Optional.empty();
  }

  private boolean isError(long at) {
    int level = control.get(ValueLayout.JAVA_INT, at + CONTROL_LEVEL);
    int type = control.get(ValueLayout.JAVA_INT, at + CONTROL_TYPE);
    return (level == SOL_IP && type == IP_RECVERR) || (level == SOL_IPV6 && type == IPV6_RECVERR);
  }

  private SocketError decode(MemorySegment error, int payloadBytes) {
    return new SocketError(
        error.get(ValueLayout.JAVA_INT, 0),
        Byte.toUnsignedInt(error.get(ValueLayout.JAVA_BYTE, 4)),
        Byte.toUnsignedInt(error.get(ValueLayout.JAVA_BYTE, 5)),
        Byte.toUnsignedInt(error.get(ValueLayout.JAVA_BYTE, 6)),
        SocketAddresses.decode(error.asSlice(ERROR_BYTES)),
        ByteBuffer.wrap(
            payload
                .asSlice(0, Math.min(payloadBytes, PAYLOAD_BYTES))
                .toArray(ValueLayout.JAVA_BYTE)));
  }
}
