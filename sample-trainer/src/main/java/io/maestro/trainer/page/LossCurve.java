package io.maestro.trainer.page;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The losses of a run, however long, in bounded memory. Used under a lock. */
final class LossCurve {

  /** Twice the pixels of a wide chart. */
  private static final int MOST = 2_000;

  private final Map<String, Double> latest = new HashMap<>();
  private final List<View.Loss> points = new ArrayList<>();
  private long every = 1;
  private long heard;

  void heard(String worker, long step, double loss) {
    latest.put(worker, loss);
    if (!points.isEmpty() && points.getLast().step() >= step) {
      return;
    }
    if (heard++ % every == 0) {
      points.add(new View.Loss(step, mean()));
    }
    if (points.size() >= MOST) {
      thin();
    }
  }

  private void thin() {
    List<View.Loss> kept = new ArrayList<>(MOST / 2);
    for (int i = 0; i < points.size(); i += 2) {
      kept.add(points.get(i));
    }
    points.clear();
    points.addAll(kept);
    every *= 2;
  }

  /** Mean of the workers' latest. */
  double mean() {
    return latest.values().stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }

  boolean isEmpty() {
    return latest.isEmpty();
  }

  List<View.Loss> points() {
    return List.copyOf(points);
  }
}
