package io.maestro.bench.fabric;

import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.FabricException;
import io.maestro.testing.fabric.FabricOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/**
 * How long workers take to synchronise the gradients of a step, in the buckets of PyTorch's DDP,
 * over a fabric of 4 spines of 200 Mbit/s: Maestro over four paths and over one, Gloo and OpenMPI.
 * Nothing is computed meanwhile.
 */
public final class Training {
  private static final String MAESTRO = "maestro";
  private static final String SINGLE = "maestro, single path";
  private static final String GLOO = "gloo";
  private static final String OPENMPI = "openmpi";
  private static final int PATHS = 4;

  /** Calls are warmed up until so much has gone over four paths: code is compiled by then. */
  private static final long WARM_BYTES = 900L << 20;

  private final World world = new World(17_000);
  private final Table ms = new Table();
  private final Map<String, ModelTensors> models;
  private final int hosts;
  private final @Nullable Mpi mpi;

  private Training(Map<String, ModelTensors> models, int hosts, @Nullable Mpi mpi) {
    this.models = models;
    this.hosts = hosts;
    this.mpi = mpi;
  }

  /**
   * Arguments: {@code --quick} for one round of VGG19; {@code --vgg19} for that model only; {@code
   * --hosts=2}; {@code --rounds=5}.
   */
  public static void main(String[] arguments) throws Exception {
    Arguments options = new Arguments(arguments);
    Map<String, ModelTensors> models = new LinkedHashMap<>();
    models.put("vgg19", ModelTensors.vgg19());
    if (!options.quick() && !options.flag("vgg19")) {
      models.put("resnet50", ModelTensors.resnet50());
      models.put("bert-large", ModelTensors.bertLarge());
    }
    int hosts = options.number("hosts", 2);
    int rounds = options.quick() ? 1 : options.number("rounds", 5);
    try (Mpi mpi = Mpi.isInstalled() ? Mpi.build() : null) {
      Training experiment = new Training(models, hosts, mpi);
      for (int round = 1; round <= rounds; round++) {
        System.out.printf("round %d of %d, ms for a step of %d hosts%n", round, rounds, hosts);
        for (String model : models.keySet()) {
          experiment.round(model);
        }
      }
      experiment.report();
    }
  }

  private void round(String model) throws InterruptedException {
    ModelTensors tensors = Objects.requireNonNull(models.get(model));
    int warm = Math.toIntExact(Math.max(1, WARM_BYTES / tensors.bytes()));
    World.Work ours = new World.Work(tensors.buckets(), warm, 1);
    World.Work single = new World.Work(tensors.buckets(), Math.ceilDiv(warm, PATHS), 1);
    World.Work theirs = new World.Work(tensors.buckets(), 0, 1);
    try (Fabric fabric = Fabric.up(FabricOptions.DEFAULT.withNodes(hosts, 2, PATHS))) {
      World.Starter here = World.in(fabric);
      List<String> all = World.addresses(fabric, hosts, PATHS);
      var paths = new World.Maestros(all, PATHS, "parallel", "selected");
      add(model, MAESTRO, () -> world.maestro(here, paths, ours));
      var path = new World.Maestros(World.addresses(fabric, hosts, 1), 1, "parallel", "selected");
      add(model, SINGLE, () -> world.maestro(here, path, single));
      String first = fabric.address(1, 1).getHostAddress();
      if (Torch.isInstalled()) {
        add(model, GLOO, () -> world.gloo(here, "eth0", first, hosts, theirs));
      }
      if (mpi != null) {
        add(model, OPENMPI, () -> mpi.in(fabric, hosts, theirs));
      }
    }
  }

  private void add(String model, String name, World.Measurement measurement)
      throws InterruptedException {
    try {
      double us = World.times(measurement.run(), "allreduce").p50();
      ms.add(model + ", " + name, us / 1000);
    } catch (FabricException e) {
      System.out.printf("  %s, %s: not measured, %s%n", model, name, e.getMessage());
    }
  }

  private void report() throws Exception {
    World.sayAbsent(mpi);
    ms.print("ms");
    String name = hosts == 2 ? "training" : "training-" + hosts;
    Results.json(name, Map.of("hosts", hosts, "ms", ms.rows()));
    Results.svg(name, chart());
    Map<String, Object> last = new LinkedHashMap<>();
    last.put("hosts", hosts);
    for (String model : models.keySet()) {
      String key = model.replace('-', '_');
      boolean first = model.equals("vgg19");
      figure(last, key + "_ms", model + ", " + MAESTRO);
      figure(last, first ? "single_path_ms" : key + "_single_path_ms", model + ", " + SINGLE);
      figure(last, first ? "gloo_ms" : key + "_gloo_ms", model + ", " + GLOO);
      figure(last, first ? "openmpi_ms" : key + "_openmpi_ms", model + ", " + OPENMPI);
    }
    Results.lastLine(last);
  }

  /** A figure that was not measured is left out. */
  private void figure(Map<String, Object> last, String key, String row) {
    if (ms.rows().containsKey(row)) {
      last.put(key, ms.median(row));
    }
  }

  private CategoryChart chart() {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(900)
            .height(500)
            .title("Synchronising a step of %d hosts over 4 spines of 200 Mbit/s".formatted(hosts))
            .yAxisTitle("seconds, median")
            .build();
    List<String> names = List.copyOf(models.keySet());
    for (String series : List.of(MAESTRO, SINGLE, GLOO, OPENMPI)) {
      if (names.stream().allMatch(model -> ms.rows().containsKey(model + ", " + series))) {
        chart.addSeries(
            series,
            names,
            names.stream().map(model -> ms.median(model + ", " + series) / 1000).toList());
      }
    }
    return chart;
  }
}
