package io.maestro.path;

/**
 * What a byte costs on each path, derived from a {@link PathLoad} with the noise of its
 * measurements taken out.
 */
final class PathCosts {
  /** A rate of this part of the fastest counts as equal to it. */
  private static final double EQUAL_RATE = 0.75;

  /** A round-trip time of this multiple of the shortest counts as equal to it. */
  private static final double EQUAL_RTT = 2;

  /** Keeps the cost finite of a path that has all but stopped. */
  private static final double LEAST_RATE = 1e-6;

  private static final double NS_PER_SECOND = 1e9;

  private final double[] nsPerByte;
  private final double[] delayNs;
  private double fastestRate;
  private double totalRate;

  PathCosts(int capacity) {
    nsPerByte = new double[capacity];
    delayNs = new double[capacity];
  }

  /** Time that a byte takes through the path. */
  double nsPerByte(int path) {
    return nsPerByte[path];
  }

  /** How much later than by the shortest path a byte arrives. */
  double delayNs(int path) {
    return delayNs[path];
  }

  /** Time that a byte takes through the fastest path. */
  double fastestNsPerByte() {
    return NS_PER_SECOND / fastestRate;
  }

  /** Time that a byte takes through all usable paths together. */
  double nsPerByteOfAll() {
    return NS_PER_SECOND / totalRate;
  }

  void derive(PathLoad load) {
    double mean = measureRates(load);
    double shortestNs = shortestRttNs(load);
    totalRate = 0;
    for (int path = 0; path < load.paths(); path++) {
      if (load.usable(path)) {
        double rate = rate(load.rateBytesPerSecond(path), mean);
        totalRate += rate;
        nsPerByte[path] = NS_PER_SECOND / rate;
        long rttNs = load.rttNs(path);
        delayNs[path] = rttNs > EQUAL_RTT * shortestNs ? (rttNs - shortestNs) / 2 : 0;
      }
    }
  }

  private double rate(long measured, double mean) {
    double rate = measured > 0 ? measured : mean;
    return rate >= EQUAL_RATE * fastestRate
        ? fastestRate
        : Math.max(rate, LEAST_RATE * fastestRate);
  }

  /** Sets the fastest rate; returns the mean of the known ones. Both are 1 when none is known. */
  private double measureRates(PathLoad load) {
    fastestRate = 0;
    double sum = 0;
    int known = 0;
    for (int path = 0; path < load.paths(); path++) {
      double rate = load.rateBytesPerSecond(path);
      if (load.usable(path) && rate > 0) {
        fastestRate = Math.max(fastestRate, rate);
        sum += rate;
        known++;
      }
    }
    fastestRate = known == 0 ? 1 : fastestRate;
    return known == 0 ? 1 : sum / known;
  }

  private static double shortestRttNs(PathLoad load) {
    double shortest = Double.POSITIVE_INFINITY;
    for (int path = 0; path < load.paths(); path++) {
      if (load.usable(path) && load.rttNs(path) > 0) {
        shortest = Math.min(shortest, (double) load.rttNs(path));
      }
    }
    return shortest;
  }
}
