package io.maestro.trainer.role;

import ai.djl.engine.Engine;
import io.maestro.trainer.digits.SingleProcess;
import io.maestro.trainer.digits.TorchEngine;
import io.maestro.trainer.digits.TrainingPlan;
import io.maestro.trainer.report.SyncFigures;
import java.util.List;

/** Trains in this process alone, on the whole of each batch. */
public final class SingleRole {

  private SingleRole() {}

  /** Blocks until the training is over. */
  public static void run(Context context) {
    TrainingPlan plan = new Task(context.options().job()).plan();
    context.listener().note("loading PyTorch …");
    Engine engine = TorchEngine.load(context.listener()::note);
    var epochs = new EpochClock(context, SyncFigures::none);
    List<Float> losses = SingleProcess.train(engine, plan, epochs);
    epochs.finish(losses, SyncFigures.none());
  }
}
