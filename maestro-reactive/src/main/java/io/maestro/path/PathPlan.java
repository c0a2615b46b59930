package io.maestro.path;

import java.util.Arrays;

/**
 * What a {@link LoadBalancer} wants of each path: its share, and how much it may have in flight.
 * Paths are numbered from 0. Not thread-safe.
 */
public final class PathPlan {
  private final int chunkBytes;
  private final long maxWindowBytes;
  private final double[] weights;
  private final long[] rates;
  private final long[] neededBytes;
  private final long[] windowBytes;

  /**
   * For at most {@code capacity} paths: equal weights, and windows that are enough to begin with.
   *
   * @param capacity most paths that there can be
   * @param chunkBytes size of a chunk
   * @param maxWindowBytes most bytes that a path may ever have unacknowledged
   */
  public PathPlan(int capacity, int chunkBytes, long maxWindowBytes) {
    this.chunkBytes = chunkBytes;
    this.maxWindowBytes = maxWindowBytes;
    weights = new double[capacity];
    rates = new long[capacity];
    neededBytes = new long[capacity];
    windowBytes = new long[capacity];
    Arrays.fill(weights, 1);
    Arrays.fill(windowBytes, PathWindow.firstBytes(chunkBytes, maxWindowBytes));
    Arrays.fill(neededBytes, windowBytes[0]);
  }

  /** A new plan with the same limits. */
  PathPlan blank() {
    return new PathPlan(weights.length, chunkBytes, maxWindowBytes);
  }

  /** Takes over what another plan with the same limits wants of a path. */
  void copy(PathPlan other, int path) {
    weights[path] = other.weights[path];
    rates[path] = other.rates[path];
    neededBytes[path] = other.neededBytes[path];
    windowBytes[path] = other.windowBytes[path];
  }

  /** Size of a chunk in bytes. */
  public int chunkBytes() {
    return chunkBytes;
  }

  /** Most bytes that a path may ever have unacknowledged. */
  public long maxWindowBytes() {
    return maxWindowBytes;
  }

  /** The share of a path, relative to the others. */
  public double weight(int path) {
    return weights[path];
  }

  /** Sets the share of a path, relative to the others; 0 for none. */
  public void weight(int path, double weight) {
    weights[path] = weight;
  }

  /** Expected delivery rate of a path in bytes per second, 0 when unknown. */
  public long rateBytesPerSecond(int path) {
    return rates[path];
  }

  /**
   * Sets the rate by which it is judged when a chunk would be complete on a path. Only the
   * proportions of the paths matter.
   *
   * @param bytesPerSecond 0 when unknown
   */
  public void rate(int path, long bytesPerSecond) {
    rates[path] = bytesPerSecond;
  }

  /** Bytes in flight that suffice to keep a path busy. */
  public long neededBytes(int path) {
    return neededBytes[path];
  }

  /** Most bytes that a path may have unacknowledged. */
  public long windowBytes(int path) {
    return windowBytes[path];
  }

  /**
   * Sets how much a path may have in flight.
   *
   * @param needed bytes that suffice to keep it busy
   * @param window bytes that it may have while it is behind its share, at least {@code needed}
   */
  public void window(int path, long needed, long window) {
    neededBytes[path] = Math.min(needed, window);
    windowBytes[path] = window;
  }
}
