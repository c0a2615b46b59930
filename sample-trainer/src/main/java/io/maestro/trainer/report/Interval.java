package io.maestro.trainer.report;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One line of progress: an epoch of training, or a step when nothing is computed.
 *
 * @param unit what it is
 * @param number counts from 1
 * @param of how many there will be
 * @param loss mean over the steps; null when nothing is computed
 * @param accuracy at its end, 0 to 1; null when nothing is computed
 * @param sync what was moved in it
 * @param seconds how long it took, with computing
 */
public record Interval(
    Unit unit,
    int number,
    int of,
    @Nullable Double loss,
    @Nullable Double accuracy,
    SyncFigures sync,
    double seconds) {

  /** What a line stands for. */
  public enum Unit {
    /** A pass over the training images. */
    EPOCH,
    /** One push and pull. */
    STEP
  }

  /** The same interval of several workers together. */
  public static Interval together(List<Interval> parts) {
    Interval first = parts.getFirst();
    return new Interval(
        first.unit,
        first.number,
        first.of,
        mean(parts.stream().map(Interval::loss).filter(Objects::nonNull).toList()),
        mean(parts.stream().map(Interval::accuracy).filter(Objects::nonNull).toList()),
        SyncFigures.sum(parts.stream().map(Interval::sync).toList()),
        parts.stream().mapToDouble(Interval::seconds).max().orElse(0));
  }

  private static @Nullable Double mean(List<Double> values) {
    return values.isEmpty()
        ? null
        : values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }
}
