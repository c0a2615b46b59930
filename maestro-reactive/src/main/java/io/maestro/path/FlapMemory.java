package io.maestro.path;

/**
 * Remembers how often a path was lost after it had been up, and forgets half of it each minute. Not
 * thread-safe; times are nanoseconds of one clock.
 */
public final class FlapMemory {
  private static final double HALF_LIFE_NS = 60e9;

  private double flaps;
  private long atNs;

  /** The path was lost. */
  public void flapped(long nowNs) {
    flaps = flaps(nowNs) + 1;
    atNs = nowNs;
  }

  /** Losses that are remembered; an old one counts as a part of one. */
  public double flaps(long nowNs) {
    return flaps * Math.pow(2, -Math.max(0, nowNs - atNs) / HALF_LIFE_NS);
  }
}
