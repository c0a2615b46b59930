package io.maestro.bench.fabric;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/**
 * How long barriers and all-reduces of 4 KB take among 2, 4 and 8 ranks on loopback, each a process
 * of its own: Maestro with signals on its event loops or on Reactor's threads, Gloo and OpenMPI.
 */
public final class Barrier {
  private static final String LOOP = "maestro, event loops";
  private static final String PARALLEL = "maestro, parallel";
  private static final String GLOO = "gloo";
  private static final String OPENMPI = "openmpi";
  private static final List<Integer> SIZES = List.of(2, 4, 8);
  private static final int BYTES = 4096;

  private final World world = new World(18_000);
  private final Table us = new Table();
  private final World.Work ours;
  private final World.Work theirs;
  private final @Nullable Mpi mpi;

  private Barrier(int count, @Nullable Mpi mpi) {
    this.mpi = mpi;
    ours = World.Work.of(BYTES, 3 * count, count); // code is compiled by then
    theirs = World.Work.of(BYTES, count / 4, count);
  }

  /** Arguments: {@code --quick} for one round of fewer calls. */
  public static void main(String[] arguments) throws Exception {
    Arguments options = new Arguments(arguments);
    try (Mpi mpi = Mpi.isInstalled() ? Mpi.build() : null) {
      Barrier experiment = new Barrier(options.quick() ? 2000 : 5000, mpi);
      int rounds = options.quick() ? 1 : 5;
      for (int round = 1; round <= rounds; round++) {
        System.out.printf("round %d of %d, microseconds%n", round, rounds);
        for (int size : SIZES) {
          experiment.round(size);
        }
      }
      experiment.report();
    }
  }

  private void round(int size) throws InterruptedException {
    List<String> addresses = Collections.nCopies(size, "127.0.0.1");
    for (String delivery : List.of("loop", "parallel")) {
      World.Maestros ranks = new World.Maestros(addresses, 1, delivery, "any");
      String name = delivery.equals("loop") ? LOOP : PARALLEL;
      add(name, size, world.maestro(World.HERE, ranks, ours));
    }
    if (Torch.isInstalled()) {
      add(GLOO, size, world.gloo(World.HERE, "lo", "127.0.0.1", size, theirs));
    } else {
      System.out.println("  gloo: not measured, python3-torch is not installed");
    }
    if (mpi == null) {
      System.out.println("  openmpi: not measured, openmpi-bin libopenmpi-dev are not installed");
    } else {
      add(OPENMPI, size, mpi.here(size, theirs));
    }
  }

  private void add(String name, int size, List<String> output) {
    for (String what : List.of("barrier", "allreduce")) {
      World.Times times = World.times(output, what);
      us.add(row(what, size, name, "p50"), times.p50());
      us.add(row(what, size, name, "p99"), times.p99());
    }
  }

  private static String row(String what, int size, String name, String quantile) {
    return "%s %d, %s, %s".formatted(what, size, name, quantile);
  }

  private void report() throws Exception {
    us.print("microseconds");
    Results.json("barrier", Map.of("bytes", BYTES, "us", us.rows()));
    Results.svg("barrier", chart());
    Map<String, Object> last = new LinkedHashMap<>();
    for (int size : SIZES) {
      String suffix = size == 2 ? "" : "_" + size;
      figures(last, "", "barrier", size, suffix);
      figures(last, "allreduce4k_", "allreduce", size, suffix);
    }
    Results.lastLine(last);
  }

  private void figures(
      Map<String, Object> last, String prefix, String what, int size, String suffix) {
    for (String quantile : List.of("p50", "p99")) {
      String unit = quantile + "_us" + suffix;
      figure(last, prefix + unit, row(what, size, LOOP, quantile));
      figure(last, prefix + "parallel_" + unit, row(what, size, PARALLEL, quantile));
      figure(last, prefix + "gloo_" + unit, row(what, size, GLOO, quantile));
      figure(last, prefix + "openmpi_" + unit, row(what, size, OPENMPI, quantile));
    }
  }

  /** A figure that was not measured is left out. */
  private void figure(Map<String, Object> last, String key, String row) {
    if (us.rows().containsKey(row)) {
      last.put(key, us.median(row));
    }
  }

  private CategoryChart chart() {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(900)
            .height(500)
            .title("A barrier on loopback, two processors")
            .xAxisTitle("ranks")
            .yAxisTitle("microseconds, median")
            .build();
    for (String name : List.of(LOOP, PARALLEL, GLOO, OPENMPI)) {
      List<Double> medians =
          SIZES.stream().map(size -> us.median(row("barrier", size, name, "p50"))).toList();
      if (medians.stream().noneMatch(v -> v.isNaN())) {
        chart.addSeries(name, SIZES, medians);
      }
    }
    return chart;
  }
}
