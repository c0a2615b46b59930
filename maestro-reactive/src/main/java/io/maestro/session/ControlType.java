package io.maestro.session;

import org.jspecify.annotations.Nullable;

/**
 * The messages that travel in SENDs. {@link WireWriter} and {@link WireReader} have a method for
 * each field; a body is laid out in the order given here, big-endian, without padding.
 */
enum ControlType {
  /** The client's proof: 32 bytes. */
  CONFIRM(1, 32),
  /** Chunks written: count u16, then runs of slot u32, first chunk u32, count u32. */
  NOTIFY(2, 2),
  /** Nothing but the header, for its acknowledgement and receive credit. */
  ACK(3, 0),
  /** How many messages the receiver has asked for so far: total u64. */
  CREDIT(4, 8),
  /** A whole small message: number u64, header length u16, data length u32, header, data. */
  EAGER(5, 14),
  /** Ready to send: number u64, size u64, priority u8, header length u16, header. */
  RTS(6, 19),
  /** Clear to send: number u64, slot u32, base address u64, rkey u32. */
  CTS(7, 24),
  /** The sender gives a message up: number u64. */
  CANCEL(8, 8),
  /** The receiver gives a message up: number u64, reason u8, limit u64. */
  ABORT(9, 17),
  /** Asks for a sign of life, which the acknowledgement of this message is. */
  PING(10, 0),
  /** The sender is closing the session in order. */
  BYE(11, 0),
  /** Asks that this QP of a path place nothing more: path u16, generation u32. */
  FENCE(12, 6),
  /** Answers a FENCE: path u16, generation u32, chunks received on it u64. */
  FENCED(13, 14),
  /** Asks for a sign of life as PING does, at the length of a large message: any bytes. */
  PROBE(14, 0);

  private static final ControlType[] TYPES = values();

  private final int code;
  private final int fixedBodyBytes;

  ControlType(int code, int fixedBodyBytes) {
    this.code = code;
    this.fixedBodyBytes = fixedBodyBytes;
  }

  /** The type's number on the wire. */
  int code() {
    return code;
  }

  /** Length of the body without what varies: the runs, the header, the data. */
  int fixedBodyBytes() {
    return fixedBodyBytes;
  }

  /** The type with this number. */
  static @Nullable ControlType of(int code) {
    return code >= 1 && code <= TYPES.length ? TYPES[code - 1] : null;
  }
}
