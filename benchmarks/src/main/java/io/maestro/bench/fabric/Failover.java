package io.maestro.bench.fabric;

import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.FabricOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;

/**
 * Four paths, of which one's spine loses every packet silently for some seconds, or all its cables:
 * how soon after the last acknowledgement that came over it that is seen, how long goodput is below
 * what the other three can carry, whether a byte is lost or comes twice, and how soon the path is
 * back.
 */
public final class Failover {
  private static final double CUT_MS = Run.WARM_MS;
  private static final double REPAIR_MS = CUT_MS + 4000;
  private static final double END_MS = REPAIR_MS + 5000;
  private static final double SPAN_MS = 30;
  private static final double STEP_MS = 5;
  private static final int PATHS = 4;

  /** The command that cuts takes up to this; the cut is somewhere within. */
  private static final double COMMAND_MS = 500;

  private final Table table = new Table();

  private final boolean link;

  private Failover(boolean link) {
    this.link = link;
  }

  /** Arguments: {@code --quick} for one round instead of five; {@code --link} pulls the cables. */
  public static void main(String[] arguments) throws Exception {
    Arguments options = new Arguments(arguments);
    int rounds = options.quick() ? 1 : 5;
    Failover experiment = new Failover(options.flag("link"));
    try (Bed bed = Bed.up(FabricOptions.DEFAULT)) {
      for (int round = 1; round <= rounds; round++) {
        System.out.printf("round %d of %d%n", round, rounds);
        experiment.round(bed);
      }
    }
    experiment.report();
  }

  private void round(Bed bed) throws Exception {
    int mark = bed.mark();
    try (Bed.Started sender =
        bed.begin(new Bed.Sending("selected", PATHS, 64, 2, (int) (END_MS / 1000)))) {
      sender.await(CUT_MS);
      cut(bed.fabric(), true);
      double cutMs = sender.ms();
      sender.await(REPAIR_MS);
      cut(bed.fabric(), false);
      double repairMs = sender.ms();
      Run run = sender.result();
      judge(run, cutMs, repairMs);
      Bed.Verdict verdict = bed.verdict(run, mark);
      table.add("messages lost", verdict.lost());
      table.add("messages that came twice", verdict.duplicated());
    }
  }

  private void cut(Fabric fabric, boolean off) {
    if (link) {
      fabric.link("spine2", !off);
    } else {
      fabric.drop("spine2", off);
    }
  }

  private void judge(Run run, double cutMs, double repairMs) throws Exception {
    run.events().forEach(e -> System.out.printf("  %8.1f ms  %s%n", e.ms(), e.what()));
    double before = run.mbit(cutMs - 4000, cutMs - 100);
    double seenMs = run.whenUp(PATHS - 1, cutMs - COMMAND_MS);
    table.add("goodput before, Mbit/s", before);
    table.add("goodput without the path, Mbit/s", run.mbit(cutMs + 1000, repairMs));
    table.add("detected after, ms", seenMs - run.lastProgressMs(seenMs));
    double floor = 0.8 * before * (PATHS - 1) / PATHS;
    table.add("gap after detection, ms", lowMs(run, floor, seenMs, repairMs));
    table.add("path back after, ms", run.whenUp(PATHS, repairMs) - repairMs);
    table.add("goodput at the end, Mbit/s", run.mbit(repairMs + 2000, END_MS));
    Results.svg(name(), chart(run));
  }

  private String name() {
    return link ? "failover-link" : "failover";
  }

  /** From a moment on, how long the goodput of spans of 30 ms stays below the floor. */
  private static double lowMs(Run run, double floor, double fromMs, double endMs) {
    double at = fromMs;
    while (at + SPAN_MS < endMs && run.mbit(at, at + SPAN_MS) < floor) {
      at += STEP_MS;
    }
    return at - fromMs;
  }

  private static XYChart chart(Run run) {
    XYChart chart =
        new XYChartBuilder()
            .width(900)
            .height(450)
            .title("Goodput of each path; one spine is cut from 8 to 12 s")
            .xAxisTitle("s")
            .yAxisTitle("Mbit/s")
            .build();
    chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Line).setMarkerSize(0);
    Timelines.add(chart, run, 50);
    return chart;
  }

  private void report() throws Exception {
    table.print("");
    Results.json(name(), table.rows());
    Map<String, Object> last = new LinkedHashMap<>();
    last.put("gap_ms", table.median("gap after detection, ms"));
    last.put("detect_ms", table.median("detected after, ms"));
    last.put("lost", table.sum("messages lost"));
    last.put("duplicated", table.sum("messages that came twice"));
    Results.lastLine(last);
  }
}
