package io.maestro.session;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.maestro.api.SendOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The 32 bytes before the body of every control message.
 *
 * <pre>
 *  0 type u8, flags u8 (0), reserved u16 (0)
 *  4 receive credit u32: receives the sender of this header has posted on this path, wraps
 *  8 acknowledgement u64: chunks it has received on this path
 * 16 control sequence u64: number of the message in the session, 0 when its order is of no matter
 * 24 body length u32, reserved u32 (0)
 * </pre>
 */
final class MessageHeader {
  /** Length of the header. */
  static final int BYTES = 32;

  /** Most runs of a NOTIFY. */
  static final int MAX_RUNS = 64;

  static final int RUN_BYTES = 12;

  static final int TYPE = 0;
  static final int RECV_CREDIT = 4;
  static final int ACK_SEQ = 8;
  static final int CONTROL_SEQ = 16;
  static final int BODY_LENGTH = 24;

  static final ValueLayout.OfByte U8 = JAVA_BYTE;
  static final ValueLayout.OfShort U16 = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  static final ValueLayout.OfInt U32 = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  static final ValueLayout.OfLong U64 = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private MessageHeader() {}

  /** Length of the longest control message of a session with this eager limit, in bytes. */
  static int maxMessageBytes(int eagerBytes) {
    int eager = ControlType.EAGER.fixedBodyBytes() + SendOptions.MAX_HEADER_BYTES + eagerBytes;
    int rts = ControlType.RTS.fixedBodyBytes() + SendOptions.MAX_HEADER_BYTES;
    return BYTES + Math.max(eager, rts);
  }

  /**
   * Sets what a header says about the receiving direction of its path. Done just before the message
   * is posted, as both numbers grow while it waits.
   */
  static void patch(MemorySegment slab, long offset, int recvCredit, long ackSeq) {
    slab.set(U32, offset + RECV_CREDIT, recvCredit);
    slab.set(U64, offset + ACK_SEQ, ackSeq);
  }
}
