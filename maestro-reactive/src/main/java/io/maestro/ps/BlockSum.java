package io.maestro.ps;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Averages several vectors block by block, in the order given, so that each is read once, no vector
 * is copied whole, and the result does not depend on how the work is cut.
 */
final class BlockSum {

  /** 16 KiB: the sum and its input stay in the first-level cache. */
  static final int BLOCK = 4096;

  private final float[] sum = new float[BLOCK];
  private final float[] term = new float[BLOCK];

  /** The average of {@code length} values from {@code start}, valid until the next call. */
  float[] average(List<MemorySegment> vectors, long start, int length, int divisor) {
    load(vectors.getFirst(), start, sum, length);
    for (MemorySegment vector : vectors.subList(1, vectors.size())) {
      load(vector, start, term, length);
      for (int i = 0; i < length; i++) {
        sum[i] += term[i];
      }
    }
    if (divisor != 1) {
      for (int i = 0; i < length; i++) {
        sum[i] /= divisor;
      }
    }
    return sum;
  }

  static void load(MemorySegment from, long start, float[] to, int length) {
    MemorySegment.copy(from, JAVA_FLOAT_UNALIGNED, start * Float.BYTES, to, 0, length);
  }

  static void store(float[] from, MemorySegment to, long start, int length) {
    MemorySegment.copy(from, 0, to, JAVA_FLOAT_UNALIGNED, start * Float.BYTES, length);
  }

  static long elements(MemorySegment vector) {
    return vector.byteSize() / Float.BYTES;
  }
}
