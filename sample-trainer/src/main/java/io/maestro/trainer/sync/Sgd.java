package io.maestro.trainer.sync;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Stochastic gradient descent with momentum on a flat vector: {@code v = momentum * v + mean(g)},
 * {@code p = p - rate * v}. The sum over the gradients is taken in their order, so the same
 * gradients give the same bits. Used by one thread at a time.
 */
public final class Sgd {

  /** Values handled at once: small enough for the arrays of a block to stay in the cache. */
  private static final int BLOCK = 4_096;

  private final float rate;
  private final float momentum;
  private final MemorySegment velocity;
  private final float[] sum = new float[BLOCK];
  private final float[] values = new float[BLOCK];

  /**
   * Starts at velocity 0.
   *
   * @param count number of parameters
   */
  public Sgd(float rate, float momentum, long count) {
    this.rate = rate;
    this.momentum = momentum;
    long kept = momentum == 0 ? 0 : count;
    velocity = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, kept);
  }

  /** The learning rate. */
  public float rate() {
    return rate;
  }

  /** The momentum. */
  public float momentum() {
    return momentum;
  }

  /**
   * One step.
   *
   * @param parameters changed in place
   * @param gradients one flat gradient for each worker, all of the parameters' size
   */
  public void step(MemorySegment parameters, List<MemorySegment> gradients) {
    long count = parameters.byteSize() / Float.BYTES;
    for (long first = 0; first < count; first += BLOCK) {
      int length = (int) Math.min(BLOCK, count - first);
      mean(gradients, first, length);
      if (momentum != 0) {
        accelerate(first, length);
      }
      read(parameters, first, values, length);
      for (int i = 0; i < length; i++) {
        values[i] -= rate * sum[i];
      }
      write(values, parameters, first, length);
    }
  }

  private void mean(List<MemorySegment> gradients, long first, int length) {
    read(gradients.getFirst(), first, sum, length);
    for (MemorySegment gradient : gradients.subList(1, gradients.size())) {
      read(gradient, first, values, length);
      for (int i = 0; i < length; i++) {
        sum[i] += values[i];
      }
    }
    int workers = gradients.size();
    for (int i = 0; i < length; i++) {
      sum[i] /= workers;
    }
  }

  private void accelerate(long first, int length) {
    read(velocity, first, values, length);
    for (int i = 0; i < length; i++) {
      sum[i] += momentum * values[i];
    }
    write(sum, velocity, first, length);
  }

  private static void read(MemorySegment from, long first, float[] to, int length) {
    MemorySegment.copy(from, ValueLayout.JAVA_FLOAT, first * Float.BYTES, to, 0, length);
  }

  private static void write(float[] from, MemorySegment to, long first, int length) {
    MemorySegment.copy(from, 0, to, ValueLayout.JAVA_FLOAT, first * Float.BYTES, length);
  }
}
