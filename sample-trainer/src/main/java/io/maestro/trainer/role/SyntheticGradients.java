package io.maestro.trainer.role;

import io.maestro.trainer.sync.Sgd;
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
    long count = gradients.byteSize() / Float.BYTES;
    for (long i = 0; i < count; i++) {
      gradients.setAtIndex(ValueLayout.JAVA_FLOAT, i, base(i) + 2f * rank);
    }
  }

  /** How many of the sampled parameters are not what the steps so far make of them. */
  static long wrongSamples(MemorySegment parameters, int workers, int steps) {
    return wrong(parameters, workers, steps, SAMPLE_DISTANCE);
  }

  /** How many of all parameters are not what the steps so far make of them. */
  static long wrong(MemorySegment parameters, int workers, int steps) {
    return wrong(parameters, workers, steps, 1);
  }

  private static long wrong(MemorySegment parameters, int workers, int steps, int distance) {
    long count = parameters.byteSize() / Float.BYTES;
    long wrong = 0;
    for (long i = 0; i < count; i += distance) {
      // The mean of 2 * rank over all ranks is workers - 1.
      float expected = -steps * (base(i) + workers - 1);
      wrong += parameters.getAtIndex(ValueLayout.JAVA_FLOAT, i) == expected ? 0 : 1;
    }
    return wrong;
  }

  private static float base(long index) {
    return (int) (index % PERIOD);
  }
}
