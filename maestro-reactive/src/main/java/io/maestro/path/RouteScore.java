package io.maestro.path;

/**
 * How good a set of routes is; the greater is the better. What counts is, in this order: what they
 * carry together, how little they share, how short they are, how much stays as it is.
 */
record RouteScore(double bitsPerSecond, int overlap, int links, int kept)
    implements Comparable<RouteScore> {
  /** Rates closer than this fraction are equal: the rest is rounding. */
  private static final double ROUNDING = 1e-9;

  @Override
  public int compareTo(RouteScore other) {
    double difference = bitsPerSecond - other.bitsPerSecond;
    if (Math.abs(difference) > ROUNDING * Math.max(bitsPerSecond, other.bitsPerSecond)) {
      return difference > 0 ? 1 : -1;
    }
    if (overlap != other.overlap) {
      return Integer.compare(other.overlap, overlap);
    }
    if (links != other.links) {
      return Integer.compare(other.links, links);
    }
    return Integer.compare(kept, other.kept);
  }
}
