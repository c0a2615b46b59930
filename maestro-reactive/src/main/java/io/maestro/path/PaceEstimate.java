package io.maestro.path;

/**
 * How long a path may take for its next sign of progress, by what it took so far: the longest of
 * the latest pauses between two signs, the time to the first acknowledgement after it was idle, and
 * the time per chunk, since one acknowledgement covers more chunks than another. What queues on the
 * path counts in none, as it is acknowledged bit by bit. Not thread-safe; times are nanoseconds.
 */
public final class PaceEstimate {
  /** Before anything is known, RFC 6298 section 2.1. */
  private static final long INITIAL_NS = 1_000_000_000;

  /** By this part of itself the memory of a long time fades at each shorter one. */
  private static final int FADING = 8;

  private long firstNs;
  private long pauseNs;
  private long chunkNs;
  private long inboundPauseNs;
  private long inboundNs;
  private boolean chunkSeen;

  /** A sign of progress came this long after the one before, with work under way. */
  public void onSign(long pause) {
    pauseNs = faded(pauseNs, pause);
  }

  /**
   * The first work that was given to the idle path has been acknowledged after this time.
   *
   * @param chunk whether it was a chunk: about these a short message says nothing
   */
  public void onFirst(long tookNs, boolean chunk) {
    firstNs = faded(firstNs, tookNs);
    chunkSeen |= chunk;
  }

  /** So many chunks have been acknowledged at once, this long after those before them. */
  public void onChunks(long pause, int count) {
    chunkNs = faded(chunkNs, pause / count);
  }

  /** Chunks of the peer have come: what it acknowledges may wait behind those that follow. */
  public void onInbound(long nowNs) {
    long pause = nowNs - inboundNs;
    inboundNs = nowNs;
    if (pause < INITIAL_NS) {
      inboundPauseNs = faded(inboundPauseNs, pause);
    }
  }

  private static long faded(long longestNs, long newNs) {
    return Math.max(newNs, longestNs - longestNs / FADING);
  }

  /**
   * The estimate, in nanoseconds.
   *
   * @param chunks how many chunks the next acknowledgement may wait for; 0 when none is under way
   */
  public long expectedNs(int chunks, long nowNs) {
    boolean inbound = nowNs - inboundNs <= StallRule.ROUND_TRIPS * inboundPauseNs;
    long signNs = Math.max(pauseNs, inbound ? inboundPauseNs : 0);
    long seenNs = Math.max(Math.max(firstNs, signNs), chunks * chunkNs);
    boolean enough = chunks > 0 ? chunkSeen : seenNs > 0;
    return enough ? seenNs : Math.max(seenNs, INITIAL_NS / StallRule.ROUND_TRIPS);
  }
}
