package io.maestro.collective;

import io.maestro.api.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Copies of small pieces, which are sent while the region that they are of changes or is given
 * back. There are as many as are under way at once, which the peers' credits bound. Any thread.
 */
final class Scratch {

  private final long bytes;
  private final Queue<MemorySegment> free = new ConcurrentLinkedQueue<>();

  /**
   * @param bytes of the largest piece
   */
  Scratch(long bytes) {
    this.bytes = bytes;
  }

  /** A region with the same bytes, whose memory is used again when it is released. */
  Region copyOf(MemorySegment piece) {
    MemorySegment taken = free.poll();
    MemorySegment memory = taken == null ? Arena.ofAuto().allocate(bytes, 64) : taken;
    MemorySegment part = memory.asSlice(0, piece.byteSize()).copyFrom(piece);
    return Region.wrap(part, () -> free.add(memory));
  }
}
