package io.maestro.ps;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Momentum SGD on one machine and one thread, adding in the order of ranks. */
final class Reference {

  private final float rate;
  private final float momentum;
  private final List<float[]> values = new ArrayList<>();
  private final List<float[]> velocities = new ArrayList<>();
  private long steps;

  Reference(List<TensorSpec> tensors, float start, float rate, float momentum) {
    this.rate = rate;
    this.momentum = momentum;
    for (TensorSpec tensor : tensors) {
      float[] initial = new float[(int) tensor.elements()];
      Arrays.fill(initial, start);
      add(initial);
    }
  }

  Reference(float[] start, float rate, float momentum) {
    this.rate = rate;
    this.momentum = momentum;
    add(start.clone());
  }

  private void add(float[] initial) {
    values.add(initial);
    velocities.add(new float[initial.length]);
  }

  /** Takes further steps up to one, with gradients of these ranks, in ascending order. */
  Reference trainTo(long lastStep, int... ranks) {
    while (steps < lastStep) {
      steps++;
      for (int t = 0; t < values.size(); t++) {
        step(values.get(t), velocities.get(t), ranks);
      }
    }
    return this;
  }

  private void step(float[] value, float[] velocity, int[] ranks) {
    for (int i = 0; i < value.length; i++) {
      float sum = Gradients.of(value[i], ranks[0], steps, i);
      for (int r = 1; r < ranks.length; r++) {
        sum += Gradients.of(value[i], ranks[r], steps, i);
      }
      float average = ranks.length == 1 ? sum : sum / ranks.length;
      velocity[i] = momentum * velocity[i] + average;
      value[i] -= rate * velocity[i];
    }
  }

  /** The values of each tensor. */
  List<float[]> values() {
    return values;
  }
}
