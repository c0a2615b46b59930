package io.maestro.bench.fabric;

import io.maestro.testing.fabric.FabricCounters;
import io.maestro.testing.fabric.FabricException;
import io.maestro.testing.fabric.FabricOptions;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/**
 * Goodput from one host to another over 4 spines of 200 Mbit/s, by number of paths: Maestro on
 * selected routes, on ports left to chance (ECMP), and others in the same rounds.
 */
public final class Paths {
  private static final String SELECTED = "maestro selected ";
  private static final String ECMP = "maestro ecmp ";
  private static final String IPERF_4 = "iperf3 -P 4";
  private static final String MPTCP_4 = "mptcp 4 aliases";
  private static final String MPTCP_MESH = "mptcp full mesh";
  private static final String UCX_4 = "ucx 4 rails";

  private final Bed bed;
  private final Peers peers;
  private final int mib;
  private final Table mbit = new Table();
  private final Table spines = new Table();

  private Paths(Bed bed, int mib) {
    this.bed = bed;
    this.mib = mib;
    this.peers = new Peers(bed.fabric(), mib);
  }

  /** Arguments: {@code --quick} for one round; {@code --mtu=1500}; {@code --mib=64}. */
  public static void main(String[] arguments) throws Exception {
    Arguments options = new Arguments(arguments);
    int rounds = options.quick() ? 1 : 5;
    FabricOptions fabric = FabricOptions.DEFAULT.withMtuBytes(options.number("mtu", 9000));
    try (Bed bed = Bed.up(fabric)) {
      Paths experiment = new Paths(bed, options.number("mib", 64));
      for (int round = 1; round <= rounds; round++) {
        System.out.printf("round %d of %d, Mbit/s%n", round, rounds);
        experiment.round(options.quick() ? List.of(1, 4) : List.of(1, 2, 3, 4, 6, 8));
      }
      experiment.report();
    }
  }

  private void round(List<Integer> counts) throws InterruptedException {
    for (int count : counts) {
      maestro(SELECTED + count, new Bed.Sending("selected", count, mib, 1, seconds()));
    }
    maestro(ECMP + 4, new Bed.Sending("ecmp", 4, mib, 1, seconds()));
    peer("iperf3", "iperf3 -P 1", () -> peers.iperf(1));
    peer("iperf3", IPERF_4, () -> peers.iperf(4));
    peer("mptcpize", MPTCP_4, peers::mptcpAliases);
    peer("mptcpize", MPTCP_MESH, peers::mptcpMesh);
    peer("ucx_perftest", UCX_4, () -> Peers.ucxRails(bed.fabric().options(), mib));
  }

  /** Enough for a message after warming up: a path carries 24 MiB in a second. */
  private int seconds() {
    return (int) (Run.WARM_MS / 1000) + Math.max(4, mib / 20);
  }

  private void maestro(String name, Bed.Sending sending) throws InterruptedException {
    FabricCounters before = bed.fabric().counters();
    mbit.add(name, bed.send(sending).mbit());
    spines.add(name + ", spines used", bed.spinesUsed(before));
  }

  /** One measurement of another program. */
  @FunctionalInterface
  private interface Measurement {
    double mbit() throws InterruptedException;
  }

  private void peer(String program, String name, Measurement measurement)
      throws InterruptedException {
    if (!Peers.has(program)) {
      System.out.printf("  %s: not measured, %s is not installed%n", name, program);
      return;
    }
    try {
      mbit.add(name, measurement.mbit());
    } catch (FabricException e) {
      System.out.printf("  %s: not measured, %s%n", name, e.getMessage());
    }
  }

  private void report() throws Exception {
    mbit.print("Mbit/s of 800");
    spines.print("spines");
    Results.json("paths", Map.of("mib", mib, "mbit", mbit.rows(), "spines", spines.rows()));
    Results.svg("paths", chart());
    String best = bestPeer();
    Map<String, Object> last = new LinkedHashMap<>();
    last.put("selected4_mbit", mbit.median(SELECTED + 4));
    last.put("ecmp4_mbit", mbit.median(ECMP + 4));
    last.put("single_mbit", mbit.median(SELECTED + 1));
    last.put("best_peer", best);
    last.put("best_peer_mbit", mbit.median(best));
    last.put("mptcp_mesh_mbit", mbit.median(MPTCP_MESH));
    Results.lastLine(last);
  }

  /** Of those with four connections. */
  private String bestPeer() {
    return Stream.of(IPERF_4, MPTCP_4, UCX_4)
        .filter(mbit.rows()::containsKey)
        .max(Comparator.comparingDouble(mbit::median))
        .orElse("none");
  }

  private CategoryChart chart() {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(900)
            .height(500)
            .title("Goodput over 4 spines of 200 Mbit/s, messages of " + mib + " MiB")
            .yAxisTitle("Mbit/s, median")
            .build();
    List<String> names = List.copyOf(mbit.rows().keySet());
    chart.addSeries("goodput", names, names.stream().map(mbit::median).toList());
    chart.getStyler().setXAxisLabelRotation(45);
    chart.getStyler().setLegendVisible(false);
    return chart;
  }
}
