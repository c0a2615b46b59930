package io.maestro.path;

/**
 * The longest time of the last one to two seconds in which nothing was acknowledged although
 * something was in flight: how long a window has to last.
 */
final class LongestSilence {
  private static final long SLICE_NS = 1_000_000_000;

  private long slice;
  private long current;
  private long previous;

  void add(long silenceNs, long nowNs) {
    long now = Math.floorDiv(nowNs, SLICE_NS);
    if (now != slice) {
      previous = now == slice + 1 ? current : 0;
      current = 0;
      slice = now;
    }
    current = Math.max(current, silenceNs);
  }

  long get() {
    return Math.max(current, previous);
  }
}
