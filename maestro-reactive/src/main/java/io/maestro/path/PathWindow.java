package io.maestro.path;

import io.maestro.api.PathSample;

/** How many bytes a path may have unacknowledged. Pure. */
public final class PathWindow {
  /** To begin with, before a rate is known. */
  private static final int FIRST_CHUNKS = 16;

  /** A path with less in flight would wait for the peer's batches of acknowledgements. */
  private static final int LEAST_CHUNKS = 8;

  /** What may be acknowledged at once: a quarter of what is in flight, at most 8 chunks. */
  private static final int LEAST_BATCH_CHUNKS = 4;

  private static final int MOST_BATCH_CHUNKS = 8;
  private static final int BATCHES = 4;

  /** Silence beyond this is a fault, not a busy host: no window is to outlast it. */
  private static final long MOST_SILENCE_NS = 50_000_000;

  private PathWindow() {}

  /** The window of a path of which nothing is known. */
  public static long firstBytes(int chunkBytes, long maxBytes) {
    return Math.max(chunkBytes, Math.min((long) FIRST_CHUNKS * chunkBytes, maxBytes));
  }

  /**
   * What keeps a path busy: what is in flight at its rate without queueing, and a batch.
   *
   * @param rateBytesPerSecond delivery rate
   * @param minRttNs round-trip time without queueing in nanoseconds, 0 when unknown
   * @param chunkBytes size of a chunk
   */
  static long neededBytes(long rateBytesPerSecond, long minRttNs, int chunkBytes) {
    double inFlight = (double) rateBytesPerSecond * minRttNs / 1e9;
    return (long) (inFlight + batchBytes(inFlight, chunkBytes));
  }

  private static double batchBytes(double inFlight, double chunkBytes) {
    double part = inFlight / (BATCHES - 1); // so it is that part of the two together
    return Math.clamp(part, LEAST_BATCH_CHUNKS * chunkBytes, MOST_BATCH_CHUNKS * chunkBytes);
  }

  /**
   * Twice what is in flight at the rate without queueing, or passes while the path is silent, and a
   * batch. Twice, because then a path that the window was holding back carries more, and its window
   * grows until its queue does: a path that has delivered everything is silent for a round trip.
   *
   * @param rateBytesPerSecond expected delivery rate
   * @param sample what was seen of the path
   * @param chunkBytes size of a chunk
   * @param maxBytes upper limit, which holds against the lower one of 8 chunks too
   * @return the window in bytes, at least one chunk
   */
  static long windowBytes(
      long rateBytesPerSecond, PathSample sample, int chunkBytes, long maxBytes) {
    double idleNs = sample.minRttNs() + (double) Math.min(sample.silenceNs(), MOST_SILENCE_NS);
    double inFlight = idleNs * rateBytesPerSecond / 1e9;
    double wanted = 2 * inFlight + batchBytes(inFlight, chunkBytes);
    double least = (double) LEAST_CHUNKS * chunkBytes;
    return Math.max(chunkBytes, (long) Math.min(Math.max(wanted, least), (double) maxBytes));
  }
}
