package io.maestro.path;

import java.util.Arrays;

/** The smallest value of the last ten seconds, to a second; 0 before the first. */
final class SlidingMinimum {
  private static final int SLICES = 10;
  private static final long SLICE_NS = 1_000_000_000;

  private final long[] minima = new long[SLICES];
  private long slice;
  private long minimum;

  /** Takes a positive value; times do not go back. */
  void add(long value, long nowNs) {
    long now = Math.floorDiv(nowNs, SLICE_NS);
    if (minimum == 0) {
      slice = now;
      Arrays.fill(minima, Long.MAX_VALUE);
    }
    boolean aged = now > slice;
    for (long passed = Math.min(now - slice, SLICES); passed > 0; passed--) {
      minima[index(now - passed + 1)] = Long.MAX_VALUE;
    }
    slice = Math.max(slice, now);
    int index = index(slice);
    minima[index] = Math.min(minima[index], value);
    minimum = aged || minimum == 0 ? smallest() : Math.min(minimum, value);
  }

  private static int index(long slice) {
    return Math.floorMod(slice, SLICES);
  }

  private long smallest() {
    long smallest = Long.MAX_VALUE;
    for (long value : minima) {
      smallest = Math.min(smallest, value);
    }
    return smallest;
  }

  long get() {
    return minimum;
  }
}
