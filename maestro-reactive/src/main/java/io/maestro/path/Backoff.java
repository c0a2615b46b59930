package io.maestro.path;

/**
 * How long a path stays down before it is connected anew: it doubles with each attempt that fails,
 * and with each flap that {@link FlapMemory} remembers. Pure.
 *
 * @param baseNs before the first attempt after a first loss, in nanoseconds
 * @param maxNs most of an outage, in nanoseconds: how late the path can notice that it is repaired.
 *     A path that flaps often waits up to {@link #MOST_HOLD_DOWN} times as long.
 */
public record Backoff(long baseNs, long maxNs) {
  /** How many times the usual limit a path may have to wait that flaps all the time. */
  public static final int MOST_HOLD_DOWN = 16;

  /** Flaps that do not raise the limit. */
  private static final int FREE_FLAPS = 3;

  /** Checks the values. */
  public Backoff {
    if (baseNs < 1 || maxNs < baseNs) {
      throw new IllegalArgumentException(
          "the back-off must be positive and its limit no smaller, were %d and %d ns"
              .formatted(baseNs, maxNs));
    }
  }

  /**
   * The time until the next attempt.
   *
   * @param attempt which it is since the path was last up, from 1
   * @param flaps remembered losses, by {@link FlapMemory#flaps}
   * @param random evenly spread over 0 to 1: half of the time is at random, so that many paths that
   *     went down together do not come back together
   * @return nanoseconds, at least 1
   */
  public long delayNs(int attempt, double flaps, double random) {
    double limitNs = maxNs * Math.clamp(Math.pow(2, flaps - FREE_FLAPS), 1, MOST_HOLD_DOWN);
    double wantedNs = baseNs * Math.pow(2, attempt - 1 + Math.max(0, flaps - 1));
    return Math.max(1, (long) (Math.min(wantedNs, limitNs) * (1 + random) / 2));
  }
}
