package io.maestro.trainer.sync;

import java.lang.foreign.MemorySegment;

/**
 * A contiguous part of the flat vector.
 *
 * @param first index of its first float32
 * @param count number of float32 values
 */
public record Shard(long first, long count) {

  /** Part {@code index} of {@code parts} whose sizes differ by one value at most. */
  static Shard of(long values, int index, int parts) {
    long first = values * index / parts;
    return new Shard(first, values * (index + 1) / parts - first);
  }

  /** This part of a whole flat vector, sharing its memory. */
  public MemorySegment of(MemorySegment whole) {
    return whole.asSlice(first * Float.BYTES, bytes());
  }

  /** Its size in bytes. */
  public long bytes() {
    return count * Float.BYTES;
  }
}
