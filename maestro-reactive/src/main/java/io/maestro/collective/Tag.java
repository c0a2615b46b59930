package io.maestro.collective;

import io.maestro.api.MaestroException;
import java.nio.ByteBuffer;

/**
 * What a message is for, as its header says in {@link #BYTES} bytes in network order.
 *
 * @param call the number of the collective call, from 1, the same on all ranks
 * @param what hash of the operation, its arguments and its size: ranks that differ are told
 * @param slice the slice of the region
 * @param step the step of the algorithm
 */
record Tag(long call, int what, int slice, int step) {

  private static final int MAGIC = 0x4d434f01; // "MCO" and the version of the protocol
  static final int BYTES = 24;

  Tag at(int newSlice, int newStep) {
    return new Tag(call, what, newSlice, newStep);
  }

  ByteBuffer encode() {
    return ByteBuffer.allocate(BYTES)
        .putInt(MAGIC)
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
      throw new MaestroException.Refused(
          "this is no message of a collective: use a connection for one communicator only, and"
              + " the same Maestro version on all ranks",
          null);
    }
    return new Tag(in.getLong(), in.getInt(), in.getInt(), in.getInt());
  }
}
