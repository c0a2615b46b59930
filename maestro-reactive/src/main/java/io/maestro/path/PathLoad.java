package io.maestro.path;

import java.util.Arrays;

/**
 * What is known about each path of a connection when a chunk is to be given to one. Mutable and
 * without allocation, so that it can be kept up to date chunk by chunk; not thread-safe. Paths are
 * numbered from 0.
 *
 * <p>A path that has been given more than its share of the bytes may have less in flight than its
 * whole window: only what keeps it busy. So those that are behind catch up, and none idles
 * meanwhile.
 */
public final class PathLoad {
  private final boolean[] usable;
  private final long[] unackedBytes;
  private final long[] windowBytes;
  private final long[] neededBytes;
  private final long[] rateBytesPerSecond;
  private final long[] rttNs;
  private final int[] slots;
  private final boolean[] filled;
  private final PathCosts costs;
  private final ShareLedger ledger;
  private boolean changed = true;
  private int paths;
  private int turn;

  /** For at most {@code capacity} paths, of which there are none yet. */
  public PathLoad(int capacity) {
    usable = new boolean[capacity];
    unackedBytes = new long[capacity];
    windowBytes = new long[capacity];
    neededBytes = new long[capacity];
    rateBytesPerSecond = new long[capacity];
    rttNs = new long[capacity];
    slots = new int[capacity];
    filled = new boolean[capacity];
    costs = new PathCosts(capacity);
    ledger = new ShareLedger(capacity);
    Arrays.fill(slots, Integer.MAX_VALUE);
  }

  /** How many paths there are. */
  public int paths() {
    return paths;
  }

  /** Sets how many paths there are; those of a higher number are left out. */
  public void paths(int count) {
    if (count < 0 || count > usable.length) {
      throw new IllegalArgumentException(
          "there may be 0 to %d paths, not %d".formatted(usable.length, count));
    }
    paths = count;
    changed = true;
  }

  /** Sets whether a path may get chunks at all. */
  public void usable(int path, boolean mayGetChunks) {
    if (usable[path] != mayGetChunks) {
      usable[path] = mayGetChunks;
      changed = true;
    }
  }

  /**
   * Sets what was measured of a path.
   *
   * @param rate delivery rate in bytes per second, 0 when unknown
   * @param minRtt round-trip time in nanoseconds without queueing, which the unacknowledged bytes
   *     already stand for; 0 when unknown
   */
  public void measured(int path, long rate, long minRtt) {
    changed |= rateBytesPerSecond[path] != rate || rttNs[path] != minRtt;
    rateBytesPerSecond[path] = rate;
    rttNs[path] = minRtt;
  }

  /**
   * Sets what a path may have unacknowledged.
   *
   * @param needed bytes that suffice to keep it busy
   * @param window most bytes, at least {@code needed}
   */
  public void window(int path, long needed, long window) {
    neededBytes[path] = Math.min(needed, window);
    windowBytes[path] = window;
  }

  /** Sets the share that a path is to carry, relative to the other usable ones; all begin equal. */
  public void weight(int path, double weight) {
    ledger.weight(path, weight);
  }

  /** Sets how many more chunks a path has descriptors for; unlimited at first. */
  public void slots(int path, int chunks) {
    slots[path] = chunks;
  }

  /** Sets the bytes that a path has not acknowledged. */
  public void unackedBytes(int path, long bytes) {
    unackedBytes[path] = bytes;
  }

  /** A chunk has been given to a path. */
  public void issued(int path, int chunkBytes) {
    unackedBytes[path] += chunkBytes;
    slots[path]--;
    ledger.issued(this, path, chunkBytes);
    filled[path] |= unackedBytes[path] > windowBytes[path] - chunkBytes;
    turn = path + 1;
  }

  /** A chunk has come back from a path. */
  public void settled(int path, int chunkBytes) {
    unackedBytes[path] -= chunkBytes;
    slots[path]++;
  }

  /**
   * Time passes: what a path is ahead or behind is forgotten by a part, 0 to 1, so that it counts
   * for a while only.
   */
  public void forget(double part) {
    ledger.forget(part);
  }

  /** Whether a path may get chunks at all. */
  public boolean usable(int path) {
    return usable[path];
  }

  /** Bytes that a path has not acknowledged. */
  public long unackedBytes(int path) {
    return unackedBytes[path];
  }

  /** Most bytes that a path may have unacknowledged. */
  public long windowBytes(int path) {
    return windowBytes[path];
  }

  /** Delivery rate of a path in bytes per second, 0 when unknown. */
  public long rateBytesPerSecond(int path) {
    return rateBytesPerSecond[path];
  }

  /** Round-trip time of a path in nanoseconds without queueing, 0 when unknown. */
  public long rttNs(int path) {
    return rttNs[path];
  }

  /** The path after the one that got the last chunk: the first of equally good ones. */
  public int turn() {
    return turn;
  }

  /** How many bytes more than its share a path has been given lately; negative when less. */
  public double aheadBytes(int path) {
    return ledger.aheadBytes(path);
  }

  /**
   * How far a path is behind its share, in windows; negative when it is ahead. Only a path that has
   * had its whole window in flight since this was asked last counts as behind. Asking begins anew.
   */
  public double takeLag(int path) {
    double lag = -ledger.aheadBytes(path) / Math.max(1, windowBytes[path]);
    double counted = filled[path] ? lag : Math.min(0, lag);
    filled[path] = false;
    return counted;
  }

  /** Whether a path has room for a chunk; an idle path takes one of any length. */
  public boolean hasRoom(int path, long chunkBytes) {
    long unacked = unackedBytes[path];
    return slots[path] > 0 && (unacked == 0 || chunkBytes <= limitBytes(path) - unacked);
  }

  /** The window, less for a path that is ahead: at a whole window ahead, what keeps it busy. */
  private long limitBytes(int path) {
    long window = windowBytes[path];
    double ahead = ledger.aheadBytes(path);
    if (ahead <= 0 || window <= 0) {
      return window;
    }
    return window - (long) ((window - neededBytes[path]) * Math.min(1, 4 * ahead / window));
  }

  /** Nanoseconds until what a path has now would be delivered; comparable with other paths. */
  public double drainNs(int path) {
    return completionNs(path, 0);
  }

  /** Nanoseconds until a chunk would be complete on a path, all comparable with one another. */
  double completionNs(int path, long chunkBytes) {
    double bytes = (double) unackedBytes[path] + chunkBytes;
    return bytes * costs().nsPerByte(path) + costs().delayNs(path);
  }

  /** The costs by the measurements as they are now. */
  PathCosts costs() {
    if (changed) {
      costs.derive(this);
      changed = false;
    }
    return costs;
  }
}
