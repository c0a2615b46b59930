package io.maestro.trainer.role;

import ai.djl.engine.Engine;
import io.maestro.trainer.digits.DigitsTraining;
import io.maestro.trainer.digits.TorchEngine;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.report.SyncMeter;
import io.maestro.trainer.sync.GradientSync;
import io.maestro.trainer.sync.Sgd;
import io.maestro.trainer.sync.Shard;
import java.lang.foreign.MemorySegment;

/** Trains on one worker's part of each batch, in step with the others. */
public final class WorkerRole {

  private WorkerRole() {}

  /**
   * Blocks until the run is over.
   *
   * @throws io.maestro.trainer.sync.SyncException when a peer is lost
   */
  public static void run(Context context) {
    Task task = new Task(context.options().job());
    if (context.options().job().trains()) {
      train(context, task);
    } else {
      new SyntheticWorker(context, task).run();
    }
  }

  /** Connects, waits for the others and agrees on the initial parameters. */
  static void join(GradientSync sync, Context context, Task task, MemorySegment parameters) {
    task.fillInitial(parameters);
    sync.register(task.spec(), parameters).block();
    context.listener().started();
  }

  /** A connection that is made when the worker joins. */
  static GradientSync sync(Context context, Task task) {
    TrainerOptions.Place place = context.options().place();
    Sgd sgd = task.sgd(new Shard(0, task.shape().parameters()));
    return context.transport().join(place.rank(), place.peers(), context.secret(), sgd);
  }

  private static void train(Context context, Task task) {
    TrainerOptions options = context.options();
    context.listener().note("loading PyTorch …");
    Engine engine = TorchEngine.load(context.listener()::note);
    int rank = options.place().rank();
    try (var training = new DigitsTraining(engine, task.plan(), rank, options.job().workers());
        GradientSync sync = sync(context, task)) {
      join(sync, context, task, training.parameters());
      var meter = new SyncMeter(context.clock(), sync::stats);
      var epochs = new EpochClock(context, meter::takeInterval);
      training.run(
          (step, g, p) -> {
            meter.time(() -> sync.pushPull(step, g, p).block());
            context.listener().stepped(step + 1, (double) training.latestLoss());
          },
          epochs);
      epochs.finish(training.losses(), meter.total());
    }
  }
}
