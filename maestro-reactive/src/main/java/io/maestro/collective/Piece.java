package io.maestro.collective;

import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;

/**
 * A part of a region.
 *
 * @param offset where it begins, in bytes
 * @param bytes its size
 */
record Piece(Region region, long offset, long bytes) {

  static Piece all(Region region) {
    return new Piece(region, 0, region.size());
  }

  /** A slice of this piece: the last is shorter, those after it are empty. */
  Piece slice(int number, long sliceBytes) {
    long from = Math.min(bytes, number * sliceBytes);
    return new Piece(region, offset + from, Math.min(sliceBytes, bytes - from));
  }

  /** A region of this part, which holds the whole until it is released. */
  Region toRegion() {
    region.retain();
    return bytes == region.size() ? region : Region.wrap(memory(), region::release);
  }

  MemorySegment memory() {
    return region.segment().asSlice(offset, bytes);
  }
}
