package io.maestro.bench.fabric;

import io.maestro.testing.fabric.FabricCounters;
import io.maestro.testing.fabric.FabricOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/**
 * Goodput from one host to another over 4 spines of 200 Mbit/s, by number of paths: Maestro on
 * selected routes, on ports left to chance (ECMP), and others in the same rounds.
 */
public final class Paths {
  private static final String SELECTED = "maestro selected ";
  private static final String ECMP = "maestro ecmp ";

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
    peer("iperf3 -P 1", () -> peers.iperf(1));
    peer("iperf3 -P 4", () -> peers.iperf(4));
    peer("mptcp 4 aliases", peers::mptcpAliases);
    peer("mptcp full mesh", peers::mptcpMesh);
  }

  /** Enough for some messages: a path carries 24 MiB in a second. */
  private int seconds() {
    return Math.max(4, mib / 16);
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

  private void peer(String name, Measurement measurement) throws InterruptedException {
    mbit.add(name, measurement.mbit());
  }

  private void report() throws Exception {
    mbit.print("Mbit/s of 800");
    spines.print("spines");
    Results.json("paths", Map.of("mib", mib, "mbit", mbit.rows(), "spines", spines.rows()));
    Results.svg("paths", chart());
    double iperf = mbit.median("iperf3 -P 4");
    double mptcp = mbit.median("mptcp 4 aliases");
    Map<String, Object> last = new LinkedHashMap<>();
    last.put("selected4_mbit", mbit.median(SELECTED + 4));
    last.put("ecmp4_mbit", mbit.median(ECMP + 4));
    last.put("single_mbit", mbit.median(SELECTED + 1));
    last.put("best_peer", iperf >= mptcp ? "iperf3 -P 4" : "mptcp 4 aliases");
    last.put("best_peer_mbit", Math.max(iperf, mptcp));
    last.put("mptcp_mesh_mbit", mbit.median("mptcp full mesh"));
    Results.lastLine(last);
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
