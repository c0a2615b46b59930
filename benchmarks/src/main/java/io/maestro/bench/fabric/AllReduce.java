package io.maestro.bench.fabric;

import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.FabricException;
import io.maestro.testing.fabric.FabricOptions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/**
 * The rate of all-reduces of a large region: {@code 8 * bytes / time}, among 2 and 4 ranks on
 * loopback and on the hosts of a fabric of 4 spines of 200 Mbit/s, beside Gloo and OpenMPI.
 */
public final class AllReduce {
  private static final String MAESTRO = "maestro";
  private static final String GLOO = "gloo";
  private static final String OPENMPI = "openmpi";
  private static final int PATHS = 4;
  private static final int USUAL_MIB = 64;

  /** Calls are warmed up until so much has gone over the fabric: code is compiled by then. */
  private static final long WARM_BYTES = 800L << 20;

  private final World world = new World(19_000);
  private final Table mbit = new Table();
  private final long bytes;
  private final @Nullable Mpi mpi;

  private AllReduce(long bytes, @Nullable Mpi mpi) {
    this.bytes = bytes;
    this.mpi = mpi;
  }

  /** Arguments: {@code --quick} for one round; {@code --mib=64}. */
  public static void main(String[] arguments) throws Exception {
    Arguments options = new Arguments(arguments);
    int rounds = options.quick() ? 1 : 5;
    try (Mpi mpi = Mpi.isInstalled() ? Mpi.build() : null) {
      AllReduce experiment = new AllReduce((long) options.number("mib", USUAL_MIB) << 20, mpi);
      for (int round = 1; round <= rounds; round++) {
        System.out.printf("round %d of %d, Mbit/s%n", round, rounds);
        for (int ranks : List.of(2, 4)) {
          experiment.onLoopback(ranks);
          experiment.onFabric(ranks);
        }
      }
      experiment.report();
    }
  }

  private void onLoopback(int ranks) throws InterruptedException {
    int calls = Math.toIntExact(Math.max(2, (640L << 20) / bytes));
    World.Work work = World.Work.of(bytes, calls, calls);
    List<String> addresses = Collections.nCopies(ranks, "127.0.0.1,127.0.0.2,127.0.0.3,127.0.0.4");
    World.Maestros ours = new World.Maestros(addresses, PATHS, "parallel", "any");
    String where = "loopback" + ranks;
    add(where, MAESTRO, () -> world.maestro(World.HERE, ours, work));
    if (Torch.isInstalled()) {
      add(where, GLOO, () -> world.gloo(World.HERE, "lo", "127.0.0.1", ranks, work));
    }
    if (mpi != null) {
      add(where, OPENMPI, () -> mpi.here(ranks, work));
    }
  }

  private void onFabric(int ranks) throws InterruptedException {
    int calls = Math.toIntExact(Math.max(1, (256L << 20) / bytes));
    int warm = Math.toIntExact(Math.max(1, WARM_BYTES / bytes));
    World.Work work = World.Work.of(bytes, warm, calls);
    World.Work theirs = World.Work.of(bytes, calls > 1 ? 1 : 0, Math.min(calls, 3));
    String where = "fabric" + ranks;
    try (Fabric fabric = Fabric.up(FabricOptions.DEFAULT.withNodes(ranks, 2, 4))) {
      World.Maestros ours =
          new World.Maestros(World.addresses(fabric, ranks, PATHS), PATHS, "parallel", "selected");
      String first = fabric.address(1, 1).getHostAddress();
      add(where, MAESTRO, () -> world.maestro(World.in(fabric), ours, work));
      if (Torch.isInstalled()) {
        add(where, GLOO, () -> world.gloo(World.in(fabric), "eth0", first, ranks, theirs));
      }
      if (mpi != null) {
        add(where, OPENMPI, () -> mpi.in(fabric, ranks, theirs));
      }
    }
  }

  private void add(String where, String name, World.Measurement measurement)
      throws InterruptedException {
    try {
      double us = World.times(measurement.run(), "allreduce").p50();
      mbit.add(where + " " + name, bytes * 8 / us);
    } catch (FabricException e) {
      System.out.printf("  %s %s: not measured, %s%n", where, name, e.getMessage());
    }
  }

  private void report() throws Exception {
    World.sayAbsent(mpi);
    mbit.print("Mbit/s");
    long mib = bytes >> 20;
    String name = mib == USUAL_MIB ? "allreduce" : "allreduce-" + mib;
    Results.json(name, Map.of("mib", mib, "mbit", mbit.rows()));
    Results.svg(name, chart());
    Map<String, Object> last = new LinkedHashMap<>();
    last.put("mib", mib);
    mbit.rows()
        .keySet()
        .forEach(row -> last.put(row.replace(' ', '_') + "_mbit", mbit.median(row)));
    Results.lastLine(last);
  }

  private CategoryChart chart() {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(900)
            .height(500)
            .title("All-reduce of %d MiB over 4 spines of 200 Mbit/s".formatted(bytes >> 20))
            .yAxisTitle("Mbit/s, median")
            .build();
    List<String> names =
        mbit.rows().keySet().stream().filter(row -> row.startsWith("fabric")).toList();
    chart.addSeries("rate", names, names.stream().map(mbit::median).toList());
    chart.getStyler().setLegendVisible(false);
    return chart;
  }
}
