package io.maestro.trainer.digits;

import io.maestro.trainer.sync.JobSpec;
import io.maestro.trainer.sync.Sgd;

/**
 * How long to train, and on what.
 *
 * @param epochs passes over the training images
 * @param batch images in a step over all workers
 * @param maxSteps stops earlier after so many steps; 0 for no such limit
 * @param seed decides the split, the initial parameters and the batches
 */
public record TrainingPlan(int epochs, int batch, int maxSteps, long seed) {

  /** Images kept back to measure the accuracy. */
  public static final int TEST_IMAGES = 1_500;

  private static final float LEARNING_RATE = 0.03f;
  private static final float MOMENTUM = 0.9f;

  /** The bundled digits, dealt by the seed. */
  public DigitSet.Split data() {
    return DigitSet.load().split(TEST_IMAGES, seed);
  }

  /** The batches of a training set. */
  public BatchPlan batches(DigitSet training) {
    return new BatchPlan(training.size(), batch, seed);
  }

  /** The rule by which some of the parameters follow their gradients. */
  public static Sgd sgd(long parameters) {
    return new Sgd(LEARNING_RATE, MOMENTUM, parameters);
  }

  /** What the processes of a run with this plan agree on. */
  public JobSpec job(int workers, int servers) {
    return new JobSpec(
        DigitsNet.SHAPE.name(), DigitsNet.SHAPE.parameters(), workers, servers, batch, seed);
  }
}
