package io.maestro.path;

/**
 * What is known about each path of a connection when a chunk is to be given to one. Mutable and
 * without allocation, so that it can be kept up to date chunk by chunk; not thread-safe. Paths are
 * numbered from 0.
 */
public final class PathLoad {
  private final boolean[] usable;
  private final long[] unackedBytes;
  private final long[] windowBytes;
  private final long[] rateBytesPerSecond;
  private final long[] rttNs;
  private final PathCosts costs;
  private boolean changed = true;
  private int paths;

  /** For at most {@code capacity} paths, of which there are none yet. */
  public PathLoad(int capacity) {
    usable = new boolean[capacity];
    unackedBytes = new long[capacity];
    windowBytes = new long[capacity];
    rateBytesPerSecond = new long[capacity];
    rttNs = new long[capacity];
    costs = new PathCosts(capacity);
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
    changed |= usable[path] != mayGetChunks;
    usable[path] = mayGetChunks;
  }

  /**
   * Sets what was measured of a path.
   *
   * @param window most bytes it may have unacknowledged
   * @param rate delivery rate in bytes per second, 0 when unknown
   * @param minRtt round-trip time in nanoseconds without queueing, which the unacknowledged bytes
   *     already stand for; 0 when unknown
   */
  public void measured(int path, long window, long rate, long minRtt) {
    changed |= rateBytesPerSecond[path] != rate || rttNs[path] != minRtt;
    windowBytes[path] = window;
    rateBytesPerSecond[path] = rate;
    rttNs[path] = minRtt;
  }

  /** Sets the bytes that a path has not acknowledged. */
  public void unackedBytes(int path, long bytes) {
    unackedBytes[path] = bytes;
  }

  /** Adds to the bytes that a path has not acknowledged; negative when some have been. */
  public void addUnacked(int path, long bytes) {
    unackedBytes[path] += bytes;
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

  /** Whether the window of a path has room for a chunk; an idle path takes one of any length. */
  public boolean hasRoom(int path, long chunkBytes) {
    long unacked = unackedBytes[path];
    return unacked == 0 || chunkBytes <= windowBytes[path] - unacked;
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
