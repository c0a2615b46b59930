package io.maestro.trainer.digits;

import java.util.Arrays;

/**
 * Which training images form the batch of a step. Nothing but the seed, the epoch and the step
 * decides it, so that every worker knows its own part without being told, and one process can
 * repeat what several did.
 *
 * @param images how many training images there are
 * @param batch images in one step over all workers
 * @param seed decides the order of the images in each epoch
 */
public record BatchPlan(int images, int batch, long seed) {

  /**
   * Odd constant of the golden ratio: spreads neighbouring epochs over the seeds (Knuth, TAOCP 3,
   * 6.4).
   */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /** Checks that an epoch has at least one step. */
  public BatchPlan {
    if (batch < 1 || batch > images) {
      throw new IllegalArgumentException(
          "a batch of " + batch + " cannot be taken from " + images + " images");
    }
  }

  /** Steps in one epoch; images that fill no whole batch are left out of that epoch. */
  public int stepsPerEpoch() {
    return images / batch;
  }

  /** The order of all images in an epoch, which counts from 0. */
  public Epoch epoch(int epoch) {
    return new Epoch(Permutations.of(images, seed + SPREAD * (epoch + 1)), batch);
  }

  /** The batches of one epoch. */
  public static final class Epoch {

    private final int[] order;
    private final int batch;

    private Epoch(int[] order, int batch) {
      this.order = order;
      this.batch = batch;
    }

    /** The images of the whole batch of a step, which counts from 0 in the epoch. */
    public int[] batch(int step) {
      return part(step, 0, 1);
    }

    /** The images of one worker's part of a step's batch. All parts together are the batch. */
    public int[] part(int step, int rank, int workers) {
      int start = step * batch;
      return Arrays.copyOfRange(
          order, start + batch * rank / workers, start + batch * (rank + 1) / workers);
    }
  }
}
