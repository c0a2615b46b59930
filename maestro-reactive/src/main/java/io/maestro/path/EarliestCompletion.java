package io.maestro.path;

/**
 * Gives the next chunk to a path on which it does not hold its message up: it is expected to be
 * complete after {@code (unacked + chunk) / rate + rtt / 2}. As a path is first in, first out, this
 * holds for a full one too: its window opens when its queue has drained.
 *
 * <p>Hence the rules. A path may get the chunk when it completes it before all paths together are
 * done with what they have and what is left of the message, or else before any other path would. Of
 * those with room the one that is most behind its share gets it, so that none idles in the bulk of
 * a message, whatever the shares. When only slower ones have room, the chunk waits for a faster one
 * that is full, so that the end of a message does not hang on a slow path.
 *
 * <p>Rates of 75 % of the fastest and more count as equal to it, and so do round-trip times of up
 * to twice the shortest: noise must not steer. An unknown rate counts as the mean of the known
 * ones.
 *
 * <p>Pure, allocates nothing. Whoever calls must set a path unusable that has stopped
 * acknowledging, because chunks may be waiting for it.
 */
public final class EarliestCompletion {
  /** The answer that no path should get the chunk now. */
  public static final int WAIT = -1;

  /**
   * Difference that does not count, in times of the chunk on the fastest path. Less than 1, so that
   * one chunk more in flight does count.
   */
  private static final double TIE = 0.5;

  private EarliestCompletion() {}

  /**
   * Chooses a path for a chunk.
   *
   * @param load the state of the paths
   * @param chunkBytes length of the chunk
   * @param backlogBytes bytes of the same message that are to follow it; 0 when it is the last or
   *     nothing is known to follow
   * @return the number of the path, or {@link #WAIT} when none has room or a full one is better
   */
  public static int choose(PathLoad load, long chunkBytes, long backlogBytes) {
    double tieNs = TIE * chunkBytes * load.costs().fastestNsPerByte();
    double togetherNs = togetherNs(load, (double) chunkBytes + backlogBytes);
    return mostBehind(load, chunkBytes, Math.max(togetherNs, earliestNs(load, chunkBytes) + tieNs));
  }

  private static double earliestNs(PathLoad load, long chunkBytes) {
    double earliest = Double.POSITIVE_INFINITY;
    for (int path = 0; path < load.paths(); path++) {
      if (load.usable(path)) {
        earliest = Math.min(earliest, load.completionNs(path, chunkBytes));
      }
    }
    return earliest;
  }

  /** How long all paths together take for what they have and this. */
  private static double togetherNs(PathLoad load, double bytes) {
    for (int path = 0; path < load.paths(); path++) {
      bytes += load.usable(path) ? load.unackedBytes(path) : 0;
    }
    return bytes * load.costs().nsPerByteOfAll();
  }

  private static int mostBehind(PathLoad load, long chunkBytes, double latestNs) {
    int best = WAIT;
    for (int i = 0; i < load.paths(); i++) {
      int path = (load.turn() + i) % load.paths();
      if (load.usable(path)
          && load.hasRoom(path, chunkBytes)
          && load.completionNs(path, chunkBytes) <= latestNs
          && (best == WAIT || isFurtherBehind(load, path, best))) {
        best = path;
      }
    }
    return best;
  }

  private static boolean isFurtherBehind(PathLoad load, int path, int other) {
    double difference = load.aheadBytes(path) - load.aheadBytes(other);
    return difference < 0
        || (difference == 0 && load.unackedBytes(path) < load.unackedBytes(other));
  }
}
