package io.maestro.path;

/** Tables of weighted next hops. */
final class NextHops {
  private NextHops() {}

  static long total(int[] weights) {
    long total = 0;
    for (int weight : weights) {
      if (weight <= 0) {
        throw new IllegalArgumentException("weights must be positive, one was " + weight);
      }
      total += weight;
    }
    if (total == 0) {
      throw new IllegalArgumentException("there must be a next hop");
    }
    return total;
  }

  /** The next hop that has a slot, when each has as many in a row as its weight. */
  static int at(long slot, int[] weights) {
    long end = 0;
    for (int i = 0; i < weights.length; i++) {
      end += weights[i];
      if (slot < end) {
        return i;
      }
    }
    throw new IllegalArgumentException("slot " + slot + " is past the last next hop");
  }
}
