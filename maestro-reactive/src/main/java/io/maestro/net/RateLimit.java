package io.maestro.net;

/** A bucket of tokens that fills at a steady rate. Not thread-safe. */
final class RateLimit {
  private static final long SECOND_NS = 1_000_000_000;

  private final long intervalNs;
  private final long depthNs;
  private long emptyAtNs;

  /**
   * @param perSecond tokens that come in a second
   * @param burst how many it holds, which it has at first
   */
  RateLimit(int perSecond, int burst, long nowNs) {
    this.intervalNs = Math.max(1, SECOND_NS / perSecond);
    this.depthNs = intervalNs * burst;
    this.emptyAtNs = nowNs - depthNs;
  }

  /** Takes a token and returns 0, or returns after how many nanoseconds there will be one. */
  long take(long nowNs) {
    emptyAtNs = Math.max(emptyAtNs, nowNs - depthNs);
    long missingNs = emptyAtNs + intervalNs - nowNs;
    if (missingNs > 0) {
      return missingNs;
    }
    emptyAtNs += intervalNs;
    return 0;
  }
}
