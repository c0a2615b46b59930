package io.maestro.path;

/**
 * Gives the next chunk to the path on which it is expected to be complete first: {@code (unacked +
 * chunk) / rate + rtt / 2} from now. As a path is first in, first out, this holds for a full one
 * too: its window opens when its queue has drained.
 *
 * <p>Hence the rules. Of the paths with room the earliest gets the chunk, so that bulk splits in
 * proportion to the rates. When a full path would still be earlier, the chunk waits for it, so that
 * the end of a message does not hang on a slow path. But it does not wait while so much of the
 * message is left that all paths together need longer than the one with room: until then none may
 * idle.
 *
 * <p>A path that is given less is measured as slower, so that noise would feed itself: rates of 75
 * % of the fastest and more count as equal to it, and so do round-trip times of up to twice the
 * shortest. An unknown rate counts as the mean of the known ones. Of equally early paths the one
 * with the fewest unacknowledged bytes is taken.
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
   * Chooses a path for the last chunk of a message, or for one that nothing is known to follow; see
   * {@link #choose(PathLoad, long, long, int)}.
   */
  public static int choose(PathLoad load, long chunkBytes, int start) {
    return choose(load, chunkBytes, 0, start);
  }

  /**
   * Chooses a path for a chunk.
   *
   * @param load the state of the paths
   * @param chunkBytes length of the chunk
   * @param backlogBytes bytes of the same message that are to follow it
   * @param start the first of equally good paths from here on is taken: with the last choice plus 1
   *     they take turns; any number
   * @return the number of the path, or {@link #WAIT} when none has room or a full one is better
   */
  public static int choose(PathLoad load, long chunkBytes, long backlogBytes, int start) {
    double withRoomNs = earliestNs(load, chunkBytes, true);
    if (withRoomNs == Double.POSITIVE_INFINITY) {
      return WAIT;
    }
    double tieNs = TIE * chunkBytes * load.costs().fastestNsPerByte();
    boolean fullIsEarlier = earliestNs(load, chunkBytes, false) + tieNs < withRoomNs;
    if (fullIsEarlier && withRoomNs > togetherNs(load, (double) chunkBytes + backlogBytes)) {
      return WAIT;
    }
    return leastLoaded(load, chunkBytes, withRoomNs + tieNs, start);
  }

  private static double earliestNs(PathLoad load, long chunkBytes, boolean withRoom) {
    double earliest = Double.POSITIVE_INFINITY;
    for (int path = 0; path < load.paths(); path++) {
      if (load.usable(path) && load.hasRoom(path, chunkBytes) == withRoom) {
        earliest = Math.min(earliest, completionNs(load, path, chunkBytes));
      }
    }
    return earliest;
  }

  private static double completionNs(PathLoad load, int path, long chunkBytes) {
    PathCosts costs = load.costs();
    double bytes = (double) load.unackedBytes(path) + chunkBytes;
    return bytes * costs.nsPerByte(path) + costs.delayNs(path);
  }

  /** How long all paths together take for what they have and this. */
  private static double togetherNs(PathLoad load, double bytes) {
    for (int path = 0; path < load.paths(); path++) {
      bytes += load.usable(path) ? load.unackedBytes(path) : 0;
    }
    return bytes * load.costs().nsPerByteOfAll();
  }

  private static int leastLoaded(PathLoad load, long chunkBytes, double latestNs, int start) {
    int best = WAIT;
    for (int i = 0; i < load.paths(); i++) {
      int path = Math.floorMod(start + i, load.paths());
      if (load.usable(path)
          && load.hasRoom(path, chunkBytes)
          && completionNs(load, path, chunkBytes) <= latestNs
          && (best == WAIT || load.unackedBytes(path) < load.unackedBytes(best))) {
        best = path;
      }
    }
    return best;
  }
}
