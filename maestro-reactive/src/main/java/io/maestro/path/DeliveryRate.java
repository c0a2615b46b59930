package io.maestro.path;

/**
 * Estimates the delivery rate and the round-trip time of one path from its acknowledgements, in the
 * manner of BBR (draft-ietf-ccwg-bbr): the rate is the largest of the last samples, the base
 * round-trip time the smallest of the last ten seconds. Not thread-safe, allocates nothing; all
 * times are nanoseconds of one clock.
 *
 * <p>A sample is what was acknowledged over at least a round trip and a millisecond in which there
 * was something in flight. When it ran empty meanwhile, or acknowledgements came back as fast as
 * from an empty path, the path could have carried more: such a sample is a lower bound, and counts
 * only when it raises the estimate.
 */
public final class DeliveryRate {
  private static final long LEAST_INTERVAL_NS = 1_000_000;
  private static final int SAMPLES = 10;

  /** Round trips of less than this multiple of the shortest show that nothing is queued. */
  private static final double QUEUED_RTT = 1.25;

  /** Weight of a new round trip in the mean, RFC 6298 section 2. */
  private static final double RTT_GAIN = 0.125;

  private final long[] samples = new long[SAMPLES];
  private final SlidingMinimum minRtt = new SlidingMinimum();
  private final LongestSilence silence = new LongestSilence();
  private long silentSinceNs;
  private int nextSample;
  private long bytesPerSecond;
  private double rttNs;
  private long inFlightBytes;

  private boolean measuring;
  private boolean ranEmpty;
  private long startNs;
  private long startSentNs;
  private long lastNs;
  private long lastSentNs;
  private long idleNs;
  private long bytes;

  /** Bytes were handed to the path. */
  public void onSent(long sentBytes, long nowNs) {
    if (inFlightBytes == 0) {
      silentSinceNs = nowNs;
      ranEmpty = true;
      idleNs += nowNs - lastNs;
    }
    inFlightBytes += sentBytes;
  }

  /**
   * Bytes were acknowledged. Those that one acknowledgement covers are given with the same {@code
   * nowNs}.
   *
   * @param sentNs when they were handed to the path
   */
  public void onAcked(long ackedBytes, long sentNs, long nowNs) {
    silence.add(nowNs - silentSinceNs, nowNs);
    silentSinceNs = nowNs;
    if (measuring && nowNs > lastNs) {
      endInterval();
    }
    lastNs = nowNs;
    lastSentNs = sentNs;
    if (!measuring || nowNs == startNs) {
      // What the first acknowledgement covers was delivered before the interval began.
      measuring = true;
      begin();
    } else {
      bytes += ackedBytes;
    }
    onRoundTrip(Math.max(1, nowNs - sentNs), nowNs);
    inFlightBytes = Math.max(0, inFlightBytes - ackedBytes);
    if (inFlightBytes == 0) {
      endInterval();
    }
  }

  private void begin() {
    startNs = lastNs;
    startSentNs = lastSentNs;
    bytes = 0;
    idleNs = 0;
    ranEmpty = false;
  }

  private void onRoundTrip(long sampleNs, long nowNs) {
    minRtt.add(sampleNs, nowNs);
    rttNs += rttNs == 0 ? sampleNs : RTT_GAIN * (sampleNs - rttNs);
  }

  /** Ends the interval with the last acknowledgement, all of whose bytes are known by now. */
  private void endInterval() {
    long busyNs = lastNs - startNs - idleNs;
    if (busyNs < Math.max(LEAST_INTERVAL_NS, (long) rttNs)) {
      return;
    }
    // Delayed acknowledgements that then come at once tell more than was ever sent in that time.
    long longerNs = Math.max(busyNs, lastSentNs - startSentNs - idleNs);
    long sample = (long) (bytes * 1e9 / longerNs);
    if (sample >= bytesPerSecond || (!ranEmpty && rttNs > QUEUED_RTT * minRtt.get())) {
      addSample(sample);
    }
    begin();
  }

  private void addSample(long sample) {
    samples[nextSample] = sample;
    nextSample = (nextSample + 1) % SAMPLES;
    bytesPerSecond = 0;
    for (long kept : samples) {
      bytesPerSecond = Math.max(bytesPerSecond, kept);
    }
  }

  /** The delivery rate in bytes per second, 0 before the first sample. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** The smoothed round-trip time in nanoseconds, queueing included; 0 before the first. */
  public long rttNs() {
    return (long) rttNs;
  }

  /** The shortest round-trip time of the last ten seconds in nanoseconds; 0 before the first. */
  public long minRttNs() {
    return minRtt.get();
  }

  /**
   * The longest time of the last one to two seconds in which nothing was acknowledged although
   * something was in flight, in nanoseconds; 0 before the first acknowledgement.
   */
  public long silenceNs() {
    return silence.get();
  }

  /** Bytes that were handed to the path and not acknowledged. */
  public long inFlightBytes() {
    return inFlightBytes;
  }
}
