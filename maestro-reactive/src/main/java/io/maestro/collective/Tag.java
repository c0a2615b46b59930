package io.maestro.collective;

import io.maestro.api.MaestroException;
import java.nio.ByteBuffer;

/**
 * What a message is for, as its header says in {@link #BYTES} bytes in network order.
 *
 * @param kind what the number counts
 * @param call the number of the call among those of its kind, from 1, the same on both ranks
 * @param what hash of the operation, its arguments and its size: ranks that differ are told
 * @param slice the slice of the region
 * @param step the step of the algorithm
 */
record Tag(Kind kind, long call, int what, int slice, int step) {

  private static final int MAGIC = 0x4d434f02; // "MCO" and the version of the protocol
  static final int BYTES = 28;

  /** What a rank is in, or was in last. */
  enum Kind {
    /** A call that all ranks make. */
    COLLECTIVE(0),
    /** A call between two ranks, counted for each direction. */
    DIRECT(1),
    /** No call: a {@link Notice}. */
    NOTICE(2);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    private static Kind of(int code) {
      return switch (code) {
        case 0 -> COLLECTIVE;
        case 1 -> DIRECT;
        case 2 -> NOTICE;
        default -> throw unreadable();
      };
    }
  }

  static Tag first(Kind kind) {
    return new Tag(kind, 0, 0, 0, 0);
  }

  /** The call after this one. */
  Tag next(int newWhat) {
    return new Tag(kind, call + 1, newWhat, 0, 0);
  }

  Tag at(int newSlice, int newStep) {
    return new Tag(kind, call, what, newSlice, newStep);
  }

  ByteBuffer encode() {
    return ByteBuffer.allocate(BYTES)
        .putInt(MAGIC)
        .putInt(kind.code)
        .putLong(call)
        .putInt(what)
        .putInt(slice)
        .putInt(step)
        .flip();
  }

  /**
   * Reads a header.
   *
   * @throws MaestroException.Refused when it is not one
   */
  static Tag decode(ByteBuffer header) {
    ByteBuffer in = header.duplicate();
    if (in.remaining() != BYTES || in.getInt() != MAGIC) {
      throw unreadable();
    }
    return new Tag(Kind.of(in.getInt()), in.getLong(), in.getInt(), in.getInt(), in.getInt());
  }

  private static MaestroException.Refused unreadable() {
    return new MaestroException.Refused(
        "this is no message of a collective: use a connection for one communicator only, and"
            + " the same Maestro version on all ranks",
        null);
  }
}
