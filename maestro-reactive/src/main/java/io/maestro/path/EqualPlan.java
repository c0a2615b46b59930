package io.maestro.path;

import io.maestro.api.PathSample;
import java.util.List;

/** Equal shares, and for each path the window of the one that needs most. */
final class EqualPlan {
  private EqualPlan() {}

  static void apply(List<PathSample> samples, PathPlan plan) {
    long window = 0;
    for (PathSample sample : samples) {
      if (sample.usable() && sample.rateBytesPerSecond() > 0) {
        window =
            Math.max(
                window,
                PathWindow.windowBytes(
                    sample.rateBytesPerSecond(), sample, plan.chunkBytes(), plan.maxWindowBytes()));
      }
    }
    for (PathSample sample : samples) {
      plan.weight(sample.path(), sample.usable() ? 1 : 0);
      plan.rate(sample.path(), sample.rateBytesPerSecond());
      if (window > 0) {
        plan.window(sample.path(), window, window);
      }
    }
  }
}
