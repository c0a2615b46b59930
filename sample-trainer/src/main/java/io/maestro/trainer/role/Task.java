package io.maestro.trainer.role;

import io.maestro.trainer.digits.DigitsNet;
import io.maestro.trainer.digits.InitialParameters;
import io.maestro.trainer.digits.TrainingPlan;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.shape.Model;
import io.maestro.trainer.shape.ModelShape;
import io.maestro.trainer.sync.JobSpec;
import io.maestro.trainer.sync.Sgd;
import io.maestro.trainer.sync.Shard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What a run's model means for its servers and workers. */
final class Task {

  private final TrainerOptions.Job job;
  private final ModelShape shape;

  Task(TrainerOptions.Job job) {
    this.job = job;
    shape =
        job.trains()
            ? DigitsNet.SHAPE
            : Model.named(job.model())
                .orElseThrow(() -> new IllegalArgumentException(job.model() + " is no model"))
                .shape();
  }

  ModelShape shape() {
    return shape;
  }

  TrainingPlan plan() {
    return new TrainingPlan(job.epochs(), job.batch(), job.steps(), job.seed());
  }

  /** What all processes must agree on. */
  JobSpec spec() {
    return job.trains()
        ? plan().job(job.workers(), job.servers())
        : new JobSpec(
            shape.name(), shape.parameters(), job.workers(), job.servers(), 0, job.seed());
  }

  /** The rule of a server for a shard. */
  Sgd sgd(Shard shard) {
    return job.trains() ? TrainingPlan.sgd(shard.count()) : SyntheticGradients.sgd();
  }

  /** Fills a vector of all parameters, zero so far, with the initial ones. */
  void fillInitial(MemorySegment parameters) {
    if (job.trains()) {
      InitialParameters.fill(shape, job.seed(), parameters);
    }
  }

  /** The initial parameters of a shard, in memory of the arena. */
  MemorySegment initial(Shard shard, Arena arena) {
    MemorySegment initial = arena.allocate(shard.bytes(), 64);
    if (job.trains()) {
      try (Arena whole = Arena.ofConfined()) {
        MemorySegment all = whole.allocate(shape.bytes(), 64);
        InitialParameters.fill(shape, job.seed(), all);
        initial.copyFrom(shard.of(all));
      }
    }
    return initial;
  }
}
