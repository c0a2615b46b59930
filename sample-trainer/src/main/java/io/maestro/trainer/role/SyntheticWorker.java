package io.maestro.trainer.role;

import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.report.Interval;
import io.maestro.trainer.report.Interval.Unit;
import io.maestro.trainer.report.SyncMeter;
import io.maestro.trainer.report.WorkerResult;
import io.maestro.trainer.sync.GradientSync;
import io.maestro.trainer.sync.SyncException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Synchronises the parameters of a model without computing gradients, and checks each result. */
final class SyntheticWorker {

  private final Context context;
  private final TrainerOptions.Job job;
  private final int rank;
  private final Task task;

  SyntheticWorker(Context context, Task task) {
    this.context = context;
    this.job = context.options().job();
    this.rank = context.options().place().rank();
    this.task = task;
  }

  void run() {
    context
        .listener()
        .note("prepares gradients of %d MB".formatted(task.shape().bytes() / 1_000_000));
    // Not closed: a cancelled transfer may still read from it.
    Arena arena = Arena.ofAuto();
    MemorySegment parameters = arena.allocate(task.shape().bytes(), 64);
    MemorySegment gradients = arena.allocate(task.shape().bytes(), 64);
    SyntheticGradients.fill(gradients, rank);
    try (GradientSync sync = WorkerRole.sync(context, task)) {
      WorkerRole.join(sync, context, task, parameters);
      var meter = new SyncMeter(context.clock(), sync::stats);
      long startNs = context.clock().nanoTime();
      for (int step = 0; step < job.syntheticSteps(); step++) {
        synchronise(step, sync, meter, gradients, parameters);
      }
      double seconds = context.secondsSince(startNs);
      check(SyntheticGradients.wrongPeriods(parameters, job.workers(), job.syntheticSteps()));
      context
          .listener()
          .finished(
              new WorkerResult(
                  rank, job.syntheticSteps(), null, List.of(), meter.total(), seconds));
    }
  }

  private void synchronise(
      int step,
      GradientSync sync,
      SyncMeter meter,
      MemorySegment gradients,
      MemorySegment parameters) {
    if (step > 0 && sync.overwritesGradients()) {
      SyntheticGradients.fill(gradients, rank);
    }
    long startNs = context.clock().nanoTime();
    meter.time(() -> sync.pushPull(step, gradients, parameters).block());
    context.listener().stepped(step + 1, null);
    check(SyntheticGradients.wrongSamples(parameters, job.workers(), step + 1));
    context
        .listener()
        .ended(
            new Interval(
                Unit.STEP,
                step + 1,
                job.syntheticSteps(),
                null,
                null,
                meter.takeInterval(),
                context.secondsSince(startNs)));
  }

  private void check(long wrong) {
    // An elastic run may have lost a worker, and then its share of the mean.
    if (wrong > 0 && !job.elastic()) {
      throw new SyncException(
          "worker %d received wrong parameters at %d places".formatted(rank, wrong), null);
    }
  }
}
