package io.maestro.trainer.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.engine.Engine;
import io.maestro.trainer.sync.GradientSync;
import io.maestro.trainer.sync.InProcessServer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Trains for real: once alone, and once with two workers and a server in this process. */
class DistributedTrainingTest {

  private static final int EPOCHS = 2;
  private static final TrainingPlan PLAN = new TrainingPlan(EPOCHS, 100, 0, 42);
  private static final Engine ENGINE = TorchEngine.load(System.out::println);

  private static final List<Double> SINGLE_ACCURACY = new ArrayList<>();
  private static List<Float> single;
  private static List<List<Float>> distributed;

  @BeforeAll
  static void train() throws Exception {
    single =
        SingleProcess.train(
            ENGINE, PLAN, (number, losses, accuracy) -> SINGLE_ACCURACY.add(accuracy));
    distributed = trainDistributed(PLAN, 2);
  }

  @Test
  void fewEpochsNameMostDigitsRightly() {
    assertThat(SINGLE_ACCURACY).hasSize(EPOCHS);
    assertThat(SINGLE_ACCURACY.getLast()).isGreaterThanOrEqualTo(0.95);
  }

  @Test
  void theLossOfTwoWorkersIsThatOfOneProcessOnTheWholeBatch() {
    assertThat(mean(distributed)).hasSameSizeAs(single);
    int stepsPerEpoch = single.size() / EPOCHS;
    for (int step = 0; step < stepsPerEpoch; step++) {
      assertThat(mean(distributed).get(step))
          .as("step %d", step)
          .isCloseTo(single.get(step), within(1e-4f));
    }
  }

  @Test
  void roundingGrowsOverTheStepsButNotIntoAnotherCurve() {
    List<Float> curve = mean(distributed);
    for (int step = single.size() / EPOCHS; step < single.size(); step++) {
      assertThat(curve.get(step)).as("step %d", step).isCloseTo(single.get(step), within(0.02f));
    }
  }

  @Test
  void twoWorkersTwiceGiveTheSameBits() throws Exception {
    TrainingPlan start = new TrainingPlan(1, 100, 20, 42);

    List<List<Float>> again = trainDistributed(start, 2);

    for (int rank = 0; rank < 2; rank++) {
      assertThat(again.get(rank)).isEqualTo(distributed.get(rank).subList(0, 20));
    }
  }

  private static List<List<Float>> trainDistributed(TrainingPlan plan, int workers)
      throws Exception {
    MemorySegment parameters = Arena.ofAuto().allocate(DigitsNet.SHAPE.bytes(), 64);
    InitialParameters.fill(DigitsNet.SHAPE, plan.seed(), parameters);
    var sgd = TrainingPlan.sgd(DigitsNet.SHAPE.parameters());
    var server = new InProcessServer(parameters, sgd, workers, false);
    List<CompletableFuture<List<Float>>> results = new ArrayList<>();
    for (int rank = 0; rank < workers; rank++) {
      int worker = rank;
      var result = new CompletableFuture<List<Float>>();
      results.add(result);
      Thread.ofPlatform()
          .name("worker-" + rank)
          .start(
              () -> {
                try {
                  result.complete(runWorker(plan, server.worker(worker), worker, workers));
                } catch (Throwable e) {
                  result.completeExceptionally(e);
                }
              });
    }
    List<List<Float>> losses = new ArrayList<>();
    for (CompletableFuture<List<Float>> result : results) {
      losses.add(result.get(120, TimeUnit.SECONDS));
    }
    server.finished().block(Duration.ofSeconds(10));
    return losses;
  }

  private static List<Float> runWorker(
      TrainingPlan plan, GradientSync sync, int rank, int workers) {
    try (sync;
        var training = new DigitsTraining(ENGINE, plan, rank, workers)) {
      sync.register(plan.job(workers, 1), training.parameters()).block();
      training.run(
          (step, gradients, parameters) -> sync.pushPull(step, gradients, parameters).block(),
          (number, losses, accuracy) -> {});
      return training.losses();
    }
  }

  private static List<Float> mean(List<List<Float>> parts) {
    List<Float> means = new ArrayList<>();
    for (int step = 0; step < parts.getFirst().size(); step++) {
      int index = step;
      means.add(
          (float) parts.stream().mapToDouble(losses -> losses.get(index)).average().orElseThrow());
    }
    return means;
  }
}
