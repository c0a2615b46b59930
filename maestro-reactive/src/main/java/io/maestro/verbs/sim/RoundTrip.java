package io.maestro.verbs.sim;

import io.maestro.verbs.Signals;

/** Smoothed round-trip time and the timeout that follows from it (RFC 6298 section 2). */
final class RoundTrip {
  private static final long FIRST_TIMEOUT_NS = 200_000_000L;
  private static final long LEAST_TIMEOUT_NS = 1_000_000L;

  private long smoothedNs = Signals.ABSENT;
  private long variationNs;

  void sample(long rttNs) {
    if (smoothedNs == Signals.ABSENT) {
      smoothedNs = rttNs;
      variationNs = rttNs / 2;
      return;
    }
    variationNs += (Math.abs(smoothedNs - rttNs) - variationNs) / 4;
    smoothedNs += (rttNs - smoothedNs) / 8;
  }

  /** In nanoseconds, or {@link Signals#ABSENT}. */
  long smoothedNs() {
    return smoothedNs;
  }

  long timeoutNs() {
    return smoothedNs == Signals.ABSENT
        ? FIRST_TIMEOUT_NS
        : Math.max(LEAST_TIMEOUT_NS, smoothedNs + 4 * variationNs);
  }

  /** How much later than another a packet may arrive before it is taken for lost. */
  long reorderingNs() {
    return Math.max(smoothedNs / 4, variationNs);
  }
}
