package io.maestro.path;

import java.util.Arrays;

/**
 * How many bytes each path was given beyond its share, or short of it. The sum over the usable
 * paths stays 0. What a path is behind is limited: a path that cannot carry its share does not pile
 * up a claim.
 */
final class ShareLedger {
  /** Most that a path may be behind, in windows: twice what it can catch up at once. */
  private static final double MOST_BEHIND_WINDOWS = 2;

  private final double[] weights;
  private final double[] aheadBytes;

  ShareLedger(int capacity) {
    weights = new double[capacity];
    aheadBytes = new double[capacity];
    Arrays.fill(weights, 1);
  }

  void weight(int path, double weight) {
    weights[path] = weight;
  }

  double aheadBytes(int path) {
    return aheadBytes[path];
  }

  void issued(PathLoad load, int path, int bytes) {
    double total = 0;
    for (int other = 0; other < load.paths(); other++) {
      if (load.usable(other)) {
        total += weights[other];
      } else {
        aheadBytes[other] = 0;
      }
    }
    if (total > 0) {
      aheadBytes[path] += bytes;
      double forgiven = charge(load, bytes / total);
      charge(load, forgiven / total);
    }
  }

  /** Takes each path's share off; returns what went beyond the limit and was not taken. */
  private double charge(PathLoad load, double perWeight) {
    double forgiven = 0;
    for (int path = 0; path < load.paths() && perWeight > 0; path++) {
      if (load.usable(path)) {
        double ahead = aheadBytes[path] - weights[path] * perWeight;
        double least = -MOST_BEHIND_WINDOWS * load.windowBytes(path);
        aheadBytes[path] = Math.max(ahead, least);
        forgiven += Math.max(0, least - ahead);
      }
    }
    return forgiven;
  }

  void forget(double part) {
    for (int path = 0; path < aheadBytes.length; path++) {
      aheadBytes[path] *= 1 - part;
    }
  }
}
