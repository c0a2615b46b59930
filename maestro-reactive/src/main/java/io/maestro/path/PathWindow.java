package io.maestro.path;

/** How many bytes a path may have unacknowledged. Pure. */
public final class PathWindow {
  /** Enough to measure by: a path with less in flight would wait for the peer's batches. */
  private static final int LEAST_CHUNKS = 16;

  /** What the peer may hold back in order to acknowledge it in one batch. */
  private static final int BATCH_CHUNKS = 4;

  private PathWindow() {}

  /**
   * Twice what is in flight at the measured rate without queueing, and a batch. Twice, because then
   * a path that the window was holding back is measured as faster, and its window grows until its
   * queue does.
   *
   * @param rateBytesPerSecond delivery rate, 0 when unknown
   * @param minRttNs round-trip time without queueing in nanoseconds, 0 when unknown
   * @param chunkBytes size of a chunk
   * @param maxBytes upper limit, which holds against the lower one of 16 chunks too
   * @return the window in bytes, at least one chunk
   */
  public static long windowBytes(
      long rateBytesPerSecond, long minRttNs, int chunkBytes, long maxBytes) {
    double inFlight = (double) rateBytesPerSecond * minRttNs / 1e9;
    double wanted = 2 * inFlight + (double) BATCH_CHUNKS * chunkBytes;
    double least = (double) LEAST_CHUNKS * chunkBytes;
    return Math.max(chunkBytes, (long) Math.min(Math.max(wanted, least), (double) maxBytes));
  }
}
