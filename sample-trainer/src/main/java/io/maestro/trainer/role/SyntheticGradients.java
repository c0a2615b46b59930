package io.maestro.trainer.role;

import io.maestro.trainer.sync.Sgd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Gradients that stand for those of a model nobody computes. They are small whole numbers, so that
 * sums and means are exact and the parameters after any step are known: a byte that arrives at the
 * wrong place, or not at all, shows.
 */
final class SyntheticGradients {

  /** A prime: chunks of a power of two bytes all differ. */
  private static final int PERIOD = 251;

  /** Distance of the values checked after each step: some in every chunk. */
  private static final int SAMPLE_DISTANCE = 509;

  private SyntheticGradients() {}

  /** The rule {@code p = p - mean(g)}, from parameters that are all 0. */
  static Sgd sgd() {
    return new Sgd(1, 0, 0);
  }

  /** The gradients of one worker, the same in every step. */
  static void fill(MemorySegment gradients, int rank) {
    long period = Math.min(PERIOD, gradients.byteSize() / Float.BYTES);
    for (int i = 0; i < period; i++) {
      gradients.setAtIndex(ValueLayout.JAVA_FLOAT, i, i + 2f * rank);
    }
    // What is filled is always a whole number of periods, so its copy goes on where it ends.
    long filled = period * Float.BYTES;
    while (filled < gradients.byteSize()) {
      long bytes = Math.min(filled, gradients.byteSize() - filled);
      MemorySegment.copy(gradients, 0, gradients, filled, bytes);
      filled += bytes;
    }
  }

  /** How many of the sampled parameters are not what the steps so far make of them. */
  static long wrongSamples(MemorySegment parameters, int workers, int steps) {
    long count = parameters.byteSize() / Float.BYTES;
    long wrong = 0;
    for (long i = 0; i < count; i += SAMPLE_DISTANCE) {
      float expected = expected((int) (i % PERIOD), workers, steps);
      wrong += parameters.getAtIndex(ValueLayout.JAVA_FLOAT, i) == expected ? 0 : 1;
    }
    return wrong;
  }

  /** How many stretches of one period, of all the parameters, are not what they should be. */
  static long wrongPeriods(MemorySegment parameters, int workers, int steps) {
    float[] values = new float[PERIOD];
    for (int i = 0; i < PERIOD; i++) {
      values[i] = expected(i, workers, steps);
    }
    MemorySegment period = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_FLOAT, values);
    long wrong = 0;
    for (long at = 0; at < parameters.byteSize(); at += period.byteSize()) {
      long bytes = Math.min(period.byteSize(), parameters.byteSize() - at);
      long mismatch = MemorySegment.mismatch(parameters, at, at + bytes, period, 0, bytes);
      wrong += mismatch < 0 ? 0 : 1;
    }
    return wrong;
  }

  private static float expected(int base, int workers, int steps) {
    // The mean of 2 * rank over all ranks is workers - 1. From 0f, so that none is a negative 0.
    return 0f - (float) steps * (base + workers - 1);
  }
}
