package io.maestro.trainer.fault;

/**
 * Lets through so many bytes per second. What goes through when there is anything left may leave a
 * debt, so that any length fits. Pure.
 */
final class TokenBucket {

  /** What may be saved up, in nanoseconds of the rate: a few turns of a loop's timer. */
  private static final double BURST_NS = 5e6;

  private static final double NS_PER_SECOND = 1e9;

  private double tokens;
  private long filledNs;

  /** An empty bucket. */
  TokenBucket(long nowNs) {
    filledNs = nowNs;
  }

  /**
   * Takes bytes out if anything is in.
   *
   * @param bytesPerSecond the rate at which it has filled since the last call
   * @return 0 when they were taken, else after how many nanoseconds to ask again
   */
  long take(int bytes, long bytesPerSecond, long nowNs) {
    double perNs = bytesPerSecond / NS_PER_SECOND;
    tokens = Math.min(tokens + (nowNs - filledNs) * perNs, BURST_NS * perNs);
    filledNs = nowNs;
    if (tokens < 0) {
      return (long) Math.ceil(-tokens / perNs) + 1;
    }
    tokens -= bytes;
    return 0;
  }
}
