package io.maestro.trainer.digits;

import java.util.Random;

/** Orders that are random, yet the same on every machine for the same seed. */
final class Permutations {

  private Permutations() {}

  /** The numbers 0 to {@code size - 1} in an order that the seed decides. */
  static int[] of(int size, long seed) {
    // java.util.Random because its sequence is part of its specification: workers on different JVMs
    // agree.
    var random = new Random(seed);
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }
}
