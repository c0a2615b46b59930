package io.maestro.bench.fabric;

import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.FabricOptions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;

/**
 * Four paths of 200 Mbit/s, of which one shares its spine with a background stream for some
 * seconds: how far the shares are from those of the bandwidth that is left, how soon, and what of
 * the bandwidth is used.
 */
public final class Background {
  private static final int BACKGROUND_MBIT = 150;
  private static final double SPINE_MBIT = 200;
  private static final double ON_MS = Run.WARM_MS;
  private static final double OFF_MS = ON_MS + 5000;
  private static final double END_MS = OFF_MS + 4000;

  /** What a change may take until the shares must fit. */
  private static final double SETTLED_MS = 1000;

  private static final double STEP_MS = 50;
  private static final double LEAST_MS = 1000;
  private static final double TOLERANCE = 0.1;

  private final Table table = new Table();

  private Background() {}

  /** Argument: {@code --quick} for one round instead of five. */
  public static void main(String[] arguments) throws Exception {
    int rounds = new Arguments(arguments).quick() ? 1 : 5;
    Background experiment = new Background();
    try (Bed bed = Bed.up(FabricOptions.DEFAULT)) {
      for (int round = 1; round <= rounds; round++) {
        System.out.printf("round %d of %d%n", round, rounds);
        experiment.round(bed);
      }
    }
    experiment.report();
  }

  private void round(Bed bed) throws Exception {
    double single = bed.send(new Bed.Sending("selected", 1, 64, 1, 14)).mbit();
    try (Bed.Started sender =
        bed.begin(new Bed.Sending("selected", 4, 64, 2, (int) (END_MS / 1000)))) {
      sender.await(ON_MS);
      Fabric.Background stream = bed.fabric().background("spine2", BACKGROUND_MBIT);
      double onMs = sender.ms();
      sender.await(OFF_MS);
      stream.close();
      double offMs = sender.ms();
      judge(sender.result(), single, onMs, offMs);
    }
  }

  private void judge(Run run, double single, double onMs, double offMs) throws Exception {
    double left = (SPINE_MBIT - BACKGROUND_MBIT) / SPINE_MBIT;
    int slowed = slowed(run.shares(onMs + SETTLED_MS, offMs));
    double expected = left / (3 + left);
    table.add(
        "share error with background, %",
        100 * error(run.shares(onMs + SETTLED_MS, offMs), slowed, left));
    table.add(
        "share error after it, %", 100 * error(run.shares(offMs + SETTLED_MS, END_MS), slowed, 1));
    table.add("converged after on, ms", converged(run, slowed, onMs, offMs, expected));
    table.add("converged after off, ms", converged(run, slowed, offMs, END_MS, 0.25));
    double available = single * (3 + left);
    table.add("used of what is left, %", 100 * run.mbit(onMs + SETTLED_MS, offMs) / available);
    table.add("used after it, %", 100 * run.mbit(offMs + SETTLED_MS, END_MS) / (4 * single));
    Results.svg("background", chart(run));
  }

  private static int slowed(List<Double> shares) {
    return shares.indexOf(Collections.min(shares));
  }

  /** The largest error of a share as a part of what it should be. */
  private static double error(List<Double> shares, int slowed, double left) {
    double worst = 0;
    for (int path = 0; path < shares.size(); path++) {
      double expected = (path == slowed ? left : 1) / (shares.size() - 1 + left);
      worst = Math.max(worst, Math.abs(shares.get(path) - expected) / expected);
    }
    return worst;
  }

  /**
   * From when on the path's share fits, in ms after the change: of all that is carried from then to
   * the end, which is at least a second.
   */
  private static double converged(
      Run run, int path, double changeMs, double endMs, double expected) {
    double at = changeMs;
    while (at < endMs - LEAST_MS && !fits(run.shares(at, endMs).get(path), expected)) {
      at += STEP_MS;
    }
    return at - changeMs;
  }

  private static boolean fits(double share, double expected) {
    return Math.abs(share - expected) <= TOLERANCE * expected;
  }

  private static XYChart chart(Run run) {
    XYChart chart =
        new XYChartBuilder()
            .width(900)
            .height(450)
            .title("Goodput of each path; a stream of 150 Mbit/s shares one spine from 8 to 13 s")
            .xAxisTitle("s")
            .yAxisTitle("Mbit/s")
            .build();
    chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Line).setMarkerSize(0);
    Timelines.add(chart, run, 200);
    return chart;
  }

  private void report() throws Exception {
    table.print("");
    Results.json("background", table.rows());
    Map<String, Object> last = new LinkedHashMap<>();
    last.put(
        "max_share_error",
        Math.max(
                table.median("share error with background, %"),
                table.median("share error after it, %"))
            / 100);
    last.put(
        "converge_ms",
        Math.max(table.median("converged after on, ms"), table.median("converged after off, ms")));
    last.put("total_fraction", table.median("used of what is left, %") / 100);
    Results.lastLine(last);
  }
}
