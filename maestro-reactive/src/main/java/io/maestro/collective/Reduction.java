package io.maestro.collective;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Reduces one vector into another. Pure: depends on the elements only, and swapping two vectors
 * gives the same bits unless both have a NaN, so that ranks which exchange theirs agree.
 */
record Reduction(ElementType type, ReduceOp op) {

  /** {@code into[i] = into[i] op from[i]}, for vectors of the same size below 2 GiB. */
  void accumulate(MemorySegment into, MemorySegment from) {
    int count = Math.toIntExact(into.byteSize() / type.bytes());
    switch (type) {
      case FLOAT32 -> floats(into, from, count);
      case FLOAT64 -> doubles(into, from, count);
      case FLOAT16, BFLOAT16 -> halves(into, from, count);
      case INT32 -> ints(into, from, count);
      case INT64 -> longs(into, from, count);
    }
  }

  private void floats(MemorySegment into, MemorySegment from, int count) {
    for (int i = 0; i < count; i++) {
      long at = 4L * i;
      float other = from.get(JAVA_FLOAT_UNALIGNED, at);
      into.set(JAVA_FLOAT_UNALIGNED, at, of(into.get(JAVA_FLOAT_UNALIGNED, at), other));
    }
  }

  private void doubles(MemorySegment into, MemorySegment from, int count) {
    for (int i = 0; i < count; i++) {
      long at = 8L * i;
      double one = into.get(JAVA_DOUBLE_UNALIGNED, at);
      double other = from.get(JAVA_DOUBLE_UNALIGNED, at);
      into.set(
          JAVA_DOUBLE_UNALIGNED,
          at,
          switch (op) {
            case SUM, AVG -> one + other;
            case MIN -> Math.min(one, other);
            case MAX -> Math.max(one, other);
            case PROD -> one * other;
          });
    }
  }

  private void halves(MemorySegment into, MemorySegment from, int count) {
    for (int i = 0; i < count; i++) {
      long at = 2L * i;
      float one = widen(into.get(JAVA_SHORT_UNALIGNED, at));
      float other = widen(from.get(JAVA_SHORT_UNALIGNED, at));
      into.set(JAVA_SHORT_UNALIGNED, at, narrow(of(one, other)));
    }
  }

  private void ints(MemorySegment into, MemorySegment from, int count) {
    for (int i = 0; i < count; i++) {
      long at = 4L * i;
      int other = from.get(JAVA_INT_UNALIGNED, at);
      into.set(JAVA_INT_UNALIGNED, at, (int) of(into.get(JAVA_INT_UNALIGNED, at), other));
    }
  }

  private void longs(MemorySegment into, MemorySegment from, int count) {
    for (int i = 0; i < count; i++) {
      long at = 8L * i;
      long other = from.get(JAVA_LONG_UNALIGNED, at);
      into.set(JAVA_LONG_UNALIGNED, at, of(into.get(JAVA_LONG_UNALIGNED, at), other));
    }
  }

  private float of(float one, float other) {
    return switch (op) {
      case SUM, AVG -> one + other;
      case MIN -> Math.min(one, other);
      case MAX -> Math.max(one, other);
      case PROD -> one * other;
    };
  }

  private long of(long one, long other) {
    return switch (op) {
      case SUM, AVG -> one + other;
      case MIN -> Math.min(one, other);
      case MAX -> Math.max(one, other);
      case PROD -> one * other;
    };
  }

  /** Turns a sum into the average of {@code ranks}; leaves other results alone. */
  void finish(MemorySegment result, int ranks) {
    if (op != ReduceOp.AVG) {
      return;
    }
    int size = type.bytes();
    for (long at = 0; at < result.byteSize(); at += size) {
      divide(result, at, ranks);
    }
  }

  private void divide(MemorySegment in, long at, int by) {
    switch (type) {
      case FLOAT32 -> in.set(JAVA_FLOAT_UNALIGNED, at, in.get(JAVA_FLOAT_UNALIGNED, at) / by);
      case FLOAT64 -> in.set(JAVA_DOUBLE_UNALIGNED, at, in.get(JAVA_DOUBLE_UNALIGNED, at) / by);
      case FLOAT16, BFLOAT16 ->
          in.set(JAVA_SHORT_UNALIGNED, at, narrow(widen(in.get(JAVA_SHORT_UNALIGNED, at)) / by));
      case INT32 -> in.set(JAVA_INT_UNALIGNED, at, in.get(JAVA_INT_UNALIGNED, at) / by);
      case INT64 -> in.set(JAVA_LONG_UNALIGNED, at, in.get(JAVA_LONG_UNALIGNED, at) / by);
    }
  }

  private float widen(short half) {
    return type == ElementType.FLOAT16
        ? Float.float16ToFloat(half)
        : Float.intBitsToFloat(half << 16);
  }

  private short narrow(float value) {
    if (type == ElementType.FLOAT16) {
      return Float.floatToFloat16(value);
    }
    int bits = Float.floatToIntBits(value); // one NaN only, whose upper half is a NaN too
    return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
  }
}
