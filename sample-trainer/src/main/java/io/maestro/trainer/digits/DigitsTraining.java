package io.maestro.trainer.digits;

import ai.djl.engine.Engine;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The training loop of one process on its part of every batch. What happens to the gradients of a
 * step is the caller's: one process applies them itself, a worker sends them to the server.
 */
public final class DigitsTraining implements AutoCloseable {

  private final Arena arena = Arena.ofShared();
  private final MemorySegment parameters = arena.allocate(DigitsNet.SHAPE.bytes(), 64);
  private final MemorySegment gradients = arena.allocate(DigitsNet.SHAPE.bytes(), 64);
  private final List<Float> losses = new ArrayList<>();
  private final TrainingPlan plan;
  private final DigitSet.Split data;
  private final DigitsNet net;
  private final int rank;
  private final int workers;
  private float latestLoss;

  /** A training of part {@code rank} of {@code workers}; the initial parameters are 0. */
  public DigitsTraining(Engine engine, TrainingPlan plan, int rank, int workers) {
    this.plan = plan;
    this.rank = rank;
    this.workers = workers;
    data = plan.data();
    net = new DigitsNet(engine);
  }

  /** Hears of the end of each epoch. */
  @FunctionalInterface
  public interface EpochListener {

    /**
     * Called by the training thread between two epochs.
     *
     * @param number counts from 1
     * @param losses the loss of each step of the epoch, on this process's part
     * @param accuracy share of the test images named rightly, 0 to 1
     */
    void ended(int number, List<Float> losses, double accuracy);
  }

  /** The flat vector the loop trains: to be filled with the initial parameters before it runs. */
  public MemorySegment parameters() {
    return parameters;
  }

  /** The loss of the latest step whose gradients were computed; 0 before the first. */
  public float latestLoss() {
    return latestLoss;
  }

  /** The loss of each step so far, on this process's part. */
  public List<Float> losses() {
    return List.copyOf(losses);
  }

  /** Trains to the plan's end. Blocks. */
  public void run(StepFunction step, EpochListener listener) {
    BatchPlan batches = plan.batches(data.training());
    int limit = plan.maxSteps() == 0 ? Integer.MAX_VALUE : plan.maxSteps();
    for (int epoch = 0; epoch < plan.epochs() && losses.size() < limit; epoch++) {
      int first = losses.size();
      int steps = Math.min(batches.stepsPerEpoch(), limit - first);
      runEpoch(batches.epoch(epoch), steps, step);
      listener.ended(epoch + 1, List.copyOf(losses.subList(first, losses.size())), accuracy());
    }
  }

  private void runEpoch(BatchPlan.Epoch epoch, int steps, StepFunction function) {
    for (int step = 0; step < steps; step++) {
      net.load(parameters);
      float loss = net.gradient(data.training(), epoch.part(step, rank, workers), gradients);
      latestLoss = loss;
      function.apply(losses.size(), gradients, parameters);
      losses.add(loss);
    }
  }

  private double accuracy() {
    net.load(parameters);
    return (double) net.correct(data.test()) / data.test().size();
  }

  /** Frees the network and the flat vectors. */
  @Override
  public void close() {
    net.close();
    arena.close();
  }
}
