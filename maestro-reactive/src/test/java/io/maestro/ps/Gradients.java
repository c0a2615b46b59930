package io.maestro.ps;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.maestro.api.Region;
import java.util.stream.IntStream;

/** Made-up gradients that depend on everything, and what training on them should give. */
final class Gradients {

  private Gradients() {}

  static float of(float value, int rank, long step, int index) {
    return 0.3f * value + (float) Math.sin(1.7 * rank + 0.01 * index + step);
  }

  static void fill(float[] values, int rank, long step, Region gradient) {
    for (int i = 0; i < values.length; i++) {
      gradient.segment().setAtIndex(JAVA_FLOAT, i, of(values[i], rank, step, i));
    }
  }

  /** Momentum SGD on one machine, adding in the order of ranks. */
  static float[] train(float[] start, int workers, int steps, float rate, float momentum) {
    int[] ranks = IntStream.range(0, workers).toArray();
    return new Reference(start, rate, momentum).trainTo(steps, ranks).values().getFirst();
  }
}
