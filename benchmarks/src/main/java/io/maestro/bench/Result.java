package io.maestro.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * One measurement.
 *
 * @param gibPerS GiB each second
 * @param cpuSPerGib processor seconds of both ends for each GiB
 */
record Result(double gibPerS, double cpuSPerGib) {
  static final double GIB = 1 << 30;

  /** The median of each column. */
  static Result median(List<Result> results) {
    return new Result(
        middle(results.stream().map(Result::gibPerS).toList()),
        middle(results.stream().map(Result::cpuSPerGib).toList()));
  }

  private static double middle(List<Double> values) {
    return values.stream().sorted(Comparator.naturalOrder()).toList().get(values.size() / 2);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.2f (%.3f)", gibPerS, cpuSPerGib);
  }
}
