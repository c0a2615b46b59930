package io.maestro.trainer.digits;

import ai.djl.engine.Engine;
import io.maestro.trainer.sync.Sgd;
import java.util.List;

/** Training in one process on the whole batch: what distributed training must equal. */
public final class SingleProcess {

  private SingleProcess() {}

  /**
   * Trains from the seed's initial parameters. Blocks.
   *
   * @return the loss of each step
   */
  public static List<Float> train(
      Engine engine, TrainingPlan plan, DigitsTraining.EpochListener listener) {
    try (var training = new DigitsTraining(engine, plan, 0, 1)) {
      InitialParameters.fill(DigitsNet.SHAPE, plan.seed(), training.parameters());
      Sgd sgd = TrainingPlan.sgd(DigitsNet.SHAPE.parameters());
      training.run(
          (step, gradients, parameters) -> sgd.step(parameters, List.of(gradients)), listener);
      return training.losses();
    }
  }
}
