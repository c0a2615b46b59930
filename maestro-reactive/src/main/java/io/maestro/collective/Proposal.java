package io.maestro.collective;

import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * What a rank says to another when they meet, in a message.
 *
 * @param rank who says it
 * @param round the number of the meeting
 * @param gone ranks that are not waited for
 */
record Proposal(int rank, int round, BitSet gone) {

  private static final int MAGIC = 0x4d525601; // "MRV" and the version of the protocol
  private static final int FIXED_BYTES = 12;
  private static final int MAX_BYTES = 16 * 1024;

  /** Whether both would make the same meeting. */
  boolean agrees(Proposal other) {
    return round == other.round && gone.equals(other.gone);
  }

  /** What both can agree on, said by this rank. */
  Proposal with(Proposal other) {
    BitSet all = (BitSet) gone.clone();
    all.or(other.gone);
    return new Proposal(rank, Math.max(round, other.round), all);
  }

  Region encode() {
    byte[] bits = gone.toByteArray();
    ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + bits.length);
    bytes.putInt(MAGIC).putInt(rank).putInt(round).put(bits).flip();
    return Region.wrap(bytes);
  }

  /**
   * Reads one.
   *
   * @param ranks that there are
   * @throws MaestroException.Refused when it is none
   */
  static Proposal decode(MemorySegment data, int ranks) {
    long size = data.byteSize();
    if (size < FIXED_BYTES || size > MAX_BYTES) {
      throw unreadable();
    }
    ByteBuffer in = ByteBuffer.wrap(data.toArray(ValueLayout.JAVA_BYTE));
    boolean magic = in.getInt() == MAGIC;
    int rank = in.getInt();
    int round = in.getInt();
    BitSet gone = BitSet.valueOf(in);
    if (!magic || rank < 0 || rank >= ranks || round < 0 || gone.length() > ranks) {
      throw unreadable();
    }
    return new Proposal(rank, round, gone);
  }

  private static MaestroException unreadable() {
    return new MaestroException.Refused(
        "this is no rank of the same list: give all ranks the same addresses, and use them for"
            + " nothing else",
        null);
  }
}
