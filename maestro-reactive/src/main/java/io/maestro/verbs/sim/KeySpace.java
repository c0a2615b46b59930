package io.maestro.verbs.sim;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/** The keys and addresses of regions: random, but the same for the same seed. */
final class KeySpace {
  private static final long FIRST_ADDRESS = 1L << 40;
  private static final long ALIGNMENT = 1L << 16;

  private final SplittableRandom random;
  private final Set<Integer> used = new HashSet<>();
  private long nextAddress = FIRST_ADDRESS;

  KeySpace(SplittableRandom random) {
    this.random = random;
  }

  synchronized int nextKey() {
    int key = random.nextInt();
    while (!used.add(key)) {
      key = random.nextInt();
    }
    return key;
  }

  /** An address with a gap to every other, so that a step outside never meets a neighbour. */
  synchronized long nextAddress(long bytes) {
    long address = nextAddress;
    nextAddress += (bytes / ALIGNMENT + 2) * ALIGNMENT;
    return address;
  }
}
