package io.maestro.trainer.role;

import io.maestro.trainer.digits.DigitsTraining;
import io.maestro.trainer.report.Interval;
import io.maestro.trainer.report.SyncFigures;
import io.maestro.trainer.report.WorkerResult;
import java.util.List;
import java.util.function.Supplier;

/** Turns the ends of epochs into intervals, and the end of training into a result. */
final class EpochClock implements DigitsTraining.EpochListener {

  private final Context context;
  private final int epochs;
  private final Supplier<SyncFigures> interval;
  private final long startNs;
  private long epochNs;
  private double accuracy;

  /**
   * Starts now.
   *
   * @param interval takes the figures of the interval that has ended
   */
  EpochClock(Context context, Supplier<SyncFigures> interval) {
    this.context = context;
    this.epochs = context.options().job().epochs();
    this.interval = interval;
    startNs = context.clock().nanoTime();
    epochNs = startNs;
  }

  @Override
  public void ended(int number, List<Float> losses, double accuracyNow) {
    accuracy = accuracyNow;
    double seconds = context.secondsSince(epochNs);
    epochNs = context.clock().nanoTime();
    double loss = losses.stream().mapToDouble(Float::doubleValue).average().orElse(0);
    context
        .listener()
        .ended(
            new Interval(
                Interval.Unit.EPOCH, number, epochs, loss, accuracyNow, interval.get(), seconds));
  }

  /** Says that all epochs are over. */
  void finish(List<Float> losses, SyncFigures total) {
    int rank = context.options().place().rank();
    double seconds = context.secondsSince(startNs);
    context
        .listener()
        .finished(new WorkerResult(rank, losses.size(), accuracy, losses, total, seconds));
  }
}
