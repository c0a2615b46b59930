package io.maestro.bench.fabric;

import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.FabricOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/**
 * Four paths of which one is unlike the others, at a tenth of their rate or with a longer way:
 * goodput beside the sum of what each path carries alone.
 */
public final class Unequal {
  private static final String SLOWED = "spine2";
  private static final int MBIT = 200;
  private static final int SLOW_MBIT = 20;
  private static final int DELAY_MS = 5;
  private static final int MIB = 64;
  private static final String SINGLE = "one path, Mbit/s";
  private static final String SLOW = "one path at a tenth, Mbit/s";
  private static final String FAR = "one path with 10 ms more, Mbit/s";
  private static final String TEN_TO_ONE = "10:1, % of the sum";
  private static final String TEN_TO_ONE_BEST = "10:1, % of the best path";
  private static final String RTT = "unequal RTT, % of the sum";
  private static final String RTT_BEST = "unequal RTT, % of the best path";

  private final Bed bed;
  private final Table table = new Table();

  private Unequal(Bed bed) {
    this.bed = bed;
  }

  /** Argument: {@code --quick} for one round instead of five. */
  public static void main(String[] arguments) throws Exception {
    int rounds = new Arguments(arguments).quick() ? 1 : 5;
    try (Bed bed = Bed.up(FabricOptions.DEFAULT)) {
      Unequal experiment = new Unequal(bed);
      for (int round = 1; round <= rounds; round++) {
        System.out.printf("round %d of %d%n", round, rounds);
        experiment.round();
      }
      experiment.report();
    }
  }

  private void round() throws Exception {
    Fabric fabric = bed.fabric();
    List<String> spines = List.of("spine1", "spine2", "spine3", "spine4");
    double single = mbit(SINGLE, 1);
    for (String spine : spines) {
      fabric.rate(spine, SLOW_MBIT);
    }
    double slow = mbit(SLOW, 1);
    for (String spine : spines) {
      fabric.rate(spine, MBIT);
    }
    fabric.rate(SLOWED, SLOW_MBIT);
    double mixed = mbit("10:1, Mbit/s", 4);
    fabric.rate(SLOWED, MBIT);
    table.add(TEN_TO_ONE, 100 * mixed / (3 * single + slow));
    table.add(TEN_TO_ONE_BEST, 100 * mixed / single);
    for (String spine : spines) {
      fabric.delay(spine, DELAY_MS);
    }
    double far = mbit(FAR, 1);
    for (String spine : spines) {
      fabric.delay(spine, 0);
    }
    fabric.delay(SLOWED, DELAY_MS);
    double unequal = mbit("unequal RTT, Mbit/s", 4);
    fabric.delay(SLOWED, 0);
    table.add(RTT, 100 * unequal / (3 * single + far));
    table.add(RTT_BEST, 100 * unequal / Math.max(single, far));
  }

  private double mbit(String name, int paths) throws InterruptedException {
    double endMs = Run.WARM_MS + 8000;
    Run run = bed.send(new Bed.Sending("selected", paths, MIB, 2, (int) (endMs / 1000)));
    double mbit = run.mbit(Run.WARM_MS, endMs);
    table.add(name, mbit);
    return mbit;
  }

  private void report() throws Exception {
    table.print("");
    Results.json("unequal", table.rows());
    Results.svg("unequal", chart());
    Map<String, Object> last = new LinkedHashMap<>();
    last.put("ten_to_one_fraction", table.median(TEN_TO_ONE) / 100);
    last.put("unequal_rtt_fraction", table.median(RTT) / 100);
    Results.lastLine(last);
  }

  private CategoryChart chart() {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(700)
            .height(400)
            .title("Four paths of which one is unlike the others")
            .yAxisTitle("% of the sum of the paths alone, median")
            .build();
    List<String> names = List.of(TEN_TO_ONE, RTT);
    chart.addSeries("fraction", names, names.stream().map(table::median).toList());
    chart.getStyler().setLegendVisible(false);
    return chart;
  }
}
