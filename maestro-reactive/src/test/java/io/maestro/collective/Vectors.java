package io.maestro.collective;

import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Vectors whose elements are small whole numbers, so that every order of summing is exact. */
final class Vectors {

  private Vectors() {}

  static double value(int rank, long index) {
    return 1 + (rank * 3L + index) % 4;
  }

  static Region of(ElementType type, int count, int rank) {
    Region region = Region.allocate((long) count * type.bytes());
    for (int i = 0; i < count; i++) {
      set(region, type, i, value(rank, i));
    }
    return region;
  }

  private static void set(Region region, ElementType type, int i, double value) {
    switch (type) {
      case FLOAT32 -> region.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) value);
      case FLOAT64 -> region.segment().setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
      case FLOAT16 ->
          region
              .segment()
              .setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16((float) value));
      case BFLOAT16 ->
          region
              .segment()
              .setAtIndex(
                  ValueLayout.JAVA_SHORT, i, (short) (Float.floatToIntBits((float) value) >>> 16));
      case INT32 -> region.segment().setAtIndex(ValueLayout.JAVA_INT, i, (int) value);
      case INT64 -> region.segment().setAtIndex(ValueLayout.JAVA_LONG, i, (long) value);
    }
  }

  static double get(Region region, ElementType type, int i) {
    return switch (type) {
      case FLOAT32 -> region.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i);
      case FLOAT64 -> region.segment().getAtIndex(ValueLayout.JAVA_DOUBLE, i);
      case FLOAT16 -> Float.float16ToFloat(region.segment().getAtIndex(ValueLayout.JAVA_SHORT, i));
      case BFLOAT16 ->
          Float.intBitsToFloat(region.segment().getAtIndex(ValueLayout.JAVA_SHORT, i) << 16);
      case INT32 -> region.segment().getAtIndex(ValueLayout.JAVA_INT, i);
      case INT64 -> region.segment().getAtIndex(ValueLayout.JAVA_LONG, i);
    };
  }

  /** What a reduction over the ranks gives, exactly. */
  static double expected(ReduceOp op, int ranks, long index) {
    double result = value(0, index);
    for (int rank = 1; rank < ranks; rank++) {
      double other = value(rank, index);
      result =
          switch (op) {
            case SUM, AVG -> result + other;
            case MIN -> Math.min(result, other);
            case MAX -> Math.max(result, other);
            case PROD -> result * other;
          };
    }
    return op == ReduceOp.AVG ? result / ranks : result;
  }

  /**
   * Checks that 64-bit elements are the sums over the ranks, of those from an index on.
   *
   * @return the index after the last
   */
  static long assertSums(MemorySegment elements, int ranks, long from) {
    long count = elements.byteSize() / 8;
    for (long i = 0; i < count; i++) {
      long sum = elements.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i);
      if (sum != (long) expected(ReduceOp.SUM, ranks, from + i)) {
        throw new AssertionError("element %d is %d".formatted(from + i, sum));
      }
    }
    return from + count;
  }
}
