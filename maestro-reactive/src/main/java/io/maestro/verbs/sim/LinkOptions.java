package io.maestro.verbs.sim;

import java.time.Duration;

/**
 * One direction of a simulated link between two addresses.
 *
 * @param bytesPerSecond rate, in bytes per second
 * @param delay propagation delay of every packet
 * @param jitter further delay of each packet, random between 0 and this: packets overtake
 * @param reorderProbability share of packets, 0 to 1, that are held back by one further delay and
 *     jitter, and so are overtaken
 * @param lossProbability share of packets, 0 to 1, that are lost at random
 * @param queueBytes bytes that may wait for the link; a packet that does not fit is dropped
 * @param ecnThresholdBytes bytes in the queue above which packets are marked ECN-CE
 */
public record LinkOptions(
    long bytesPerSecond,
    Duration delay,
    Duration jitter,
    double reorderProbability,
    double lossProbability,
    long queueBytes,
    long ecnThresholdBytes) {

  /** Checks the values. */
  public LinkOptions {
    if (bytesPerSecond < 1 || queueBytes < 1 || ecnThresholdBytes < 0) {
      throw new IllegalArgumentException(
          "rate and queue must be positive, were %d and %d bytes, the ECN threshold %d"
              .formatted(bytesPerSecond, queueBytes, ecnThresholdBytes));
    }
    if (delay.isNegative() || jitter.isNegative()) {
      throw new IllegalArgumentException("delay and jitter must not be negative");
    }
    requireProbability("reorderProbability", reorderProbability);
    requireProbability("lossProbability", lossProbability);
  }

  private static void requireProbability(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " must be between 0 and 1, was " + value);
    }
  }

  /**
   * A clean link: 25 Gbit/s, 5 µs one way, a queue of 4 MiB that marks above 1 MiB, no jitter, no
   * loss.
   */
  public static LinkOptions defaults() {
    return new LinkOptions(
        3_125_000_000L, Duration.ofNanos(5_000), Duration.ZERO, 0, 0, 4L << 20, 1L << 20);
  }

  /** The same with another rate, in bytes per second. */
  public LinkOptions withBytesPerSecond(long rate) {
    return new LinkOptions(
        rate, delay, jitter, reorderProbability, lossProbability, queueBytes, ecnThresholdBytes);
  }

  /** The same with another delay. */
  public LinkOptions withDelay(Duration oneWay) {
    return new LinkOptions(
        bytesPerSecond,
        oneWay,
        jitter,
        reorderProbability,
        lossProbability,
        queueBytes,
        ecnThresholdBytes);
  }

  /** The same with jitter, and a share of packets, 0 to 1, that are overtaken. */
  public LinkOptions withReordering(Duration randomDelay, double probability) {
    return new LinkOptions(
        bytesPerSecond,
        delay,
        randomDelay,
        probability,
        lossProbability,
        queueBytes,
        ecnThresholdBytes);
  }

  /** The same with random loss, 0 to 1. */
  public LinkOptions withLoss(double probability) {
    return new LinkOptions(
        bytesPerSecond,
        delay,
        jitter,
        reorderProbability,
        probability,
        queueBytes,
        ecnThresholdBytes);
  }

  /** The same with another queue and ECN threshold, in bytes. */
  public LinkOptions withQueue(long bytes, long markAboveBytes) {
    return new LinkOptions(
        bytesPerSecond, delay, jitter, reorderProbability, lossProbability, bytes, markAboveBytes);
  }
}
