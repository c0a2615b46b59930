package io.maestro.bench.fabric;

import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.XYChart;

/** Goodput of each path over time, as lines of a chart. */
final class Timelines {
  private Timelines() {}

  /** Adds a line for each path and one for their sum, of means over {@code spanMs}. */
  static void add(XYChart chart, Run run, double spanMs) {
    List<Run.Sample> samples = run.samples();
    int paths = samples.getLast().acked().size();
    double endMs = samples.getLast().ms();
    List<Double> seconds = new ArrayList<>();
    List<List<Double>> lines = new ArrayList<>();
    for (int line = 0; line <= paths; line++) {
      lines.add(new ArrayList<>());
    }
    for (double at = 0; at + spanMs <= endMs; at += spanMs) {
      seconds.add((at + spanMs / 2) / 1000);
      double total = run.mbit(at, at + spanMs);
      List<Double> shares = run.shares(at, at + spanMs);
      for (int path = 0; path < paths; path++) {
        lines.get(path).add(total == 0 ? 0 : shares.get(path) * total);
      }
      lines.get(paths).add(total);
    }
    for (int path = 0; path < paths; path++) {
      chart.addSeries("path " + path, seconds, lines.get(path));
    }
    chart.addSeries("all", seconds, lines.get(paths));
  }
}
