package io.maestro.verbs.iwarp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A start-up frame of MPA: RFC 5044 section 7.1, with the enhancements of RFC 6581 section 4.
 *
 * @param reply whether it answers a request
 * @param flags the M, C, R and S bits
 * @param revision 1, or 2 for the enhanced form
 * @param ird the 16 bits with the sender's IRD, 0 without the S bit
 * @param ord the 16 bits with the sender's ORD, 0 without the S bit
 * @param privateData what the users say to each other
 */
record MpaFrame(boolean reply, int flags, int revision, int ird, int ord, ByteBuffer privateData) {
  static final int MARKERS = 0x80;
  static final int CHECKSUM = 0x40;
  static final int REJECT = 0x20;
  static final int ENHANCED = 0x10;

  /** In the IRD field: the requester offers to send a ready-to-receive; of which kind. */
  static final int PEER_TO_PEER = 0x8000;

  static final int RTR_EMPTY_FPDU = 0x4000;

  /** In the ORD field: further kinds of ready-to-receive. */
  static final int RTR_WRITE = 0x8000;

  static final int RTR_READ = 0x4000;

  /** The low bits of IRD and ORD; all ones says that the value is left to the users. */
  static final int DEPTH_MASK = 0x3FFF;

  static final int HEADER_BYTES = 20;
  static final int MAX_PRIVATE_DATA_BYTES = 512;
  static final int ENHANCED_BYTES = 4;

  private static final byte[] REQUEST_KEY = "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] REPLY_KEY = "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII);

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  ByteBuffer encode() {
    int extra = has(ENHANCED) ? ENHANCED_BYTES : 0;
    int bytes = extra + privateData.remaining();
    ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + bytes);
    frame.put(reply ? REPLY_KEY : REQUEST_KEY);
    frame.put((byte) flags).put((byte) revision).putShort((short) bytes);
    if (extra > 0) {
      frame.putShort((short) ird).putShort((short) ord);
    }
    return frame.put(privateData.duplicate()).flip();
  }

  /** The length of the frame whose header this is, or -1 when it is none. */
  static int totalBytes(ByteBuffer header, boolean reply) {
    byte[] key = reply ? REPLY_KEY : REQUEST_KEY;
    if (header.slice(0, key.length).mismatch(ByteBuffer.wrap(key)) >= 0) {
      return -1;
    }
    int privateBytes = header.getShort(18) & 0xFFFF;
    int revision = header.get(17);
    boolean enhanced = revision == 2 && (header.get(16) & ENHANCED) != 0;
    boolean legal =
        (revision == 1 || revision == 2)
            && privateBytes <= MAX_PRIVATE_DATA_BYTES
            && (!enhanced || privateBytes >= ENHANCED_BYTES);
    return legal ? HEADER_BYTES + privateBytes : -1;
  }

  /** Reads a whole frame for which {@link #totalBytes} was positive. */
  static MpaFrame decode(ByteBuffer frame, boolean reply) {
    int revision = frame.get(17);
    int flags = frame.get(16) & (MARKERS | CHECKSUM | REJECT | (revision == 2 ? ENHANCED : 0));
    boolean enhanced = (flags & ENHANCED) != 0;
    int ird = enhanced ? frame.getShort(HEADER_BYTES) & 0xFFFF : 0;
    int ord = enhanced ? frame.getShort(HEADER_BYTES + 2) & 0xFFFF : 0;
    int from = HEADER_BYTES + (enhanced ? ENHANCED_BYTES : 0);
    ByteBuffer privateData = frame.slice(from, frame.limit() - from).asReadOnlyBuffer();
    return new MpaFrame(reply, flags, revision, ird, ord, privateData);
  }
}
