package io.maestro.ps;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Stochastic gradient descent, with momentum if it is not 0. */
record SgdUpdate(float rate, float momentum) implements ShardUpdate {

  SgdUpdate {
    if (!(rate > 0) || Float.isInfinite(rate)) {
      throw new IllegalArgumentException("rate must be positive, was " + rate);
    }
    if (!(momentum >= 0 && momentum < 1)) {
      throw new IllegalArgumentException("momentum must be 0 to below 1, was " + momentum);
    }
  }

  @Override
  public void apply(
      MemorySegment current,
      MemorySegment next,
      MemorySegment state,
      List<MemorySegment> gradients,
      int workers) {
    BlockSum sum = new BlockSum();
    float[] values = new float[BlockSum.BLOCK];
    float[] velocity = new float[BlockSum.BLOCK];
    long elements = BlockSum.elements(next);
    for (long start = 0; start < elements; start += BlockSum.BLOCK) {
      int length = (int) Math.min(BlockSum.BLOCK, elements - start);
      float[] gradient = sum.average(gradients, start, length, workers);
      if (momentum != 0) {
        BlockSum.load(state, start, velocity, length);
        accelerate(velocity, gradient, length);
        BlockSum.store(velocity, state, start, length);
        gradient = velocity;
      }
      BlockSum.load(current, start, values, length);
      descend(values, gradient, length);
      BlockSum.store(values, next, start, length);
    }
  }

  private void accelerate(float[] velocity, float[] gradient, int length) {
    for (int i = 0; i < length; i++) {
      velocity[i] = momentum * velocity[i] + gradient[i];
    }
  }

  private void descend(float[] values, float[] direction, int length) {
    for (int i = 0; i < length; i++) {
      values[i] -= rate * direction[i];
    }
  }

  @Override
  public int stateFloatsPerElement() {
    return momentum == 0 ? 0 : 1;
  }
}
