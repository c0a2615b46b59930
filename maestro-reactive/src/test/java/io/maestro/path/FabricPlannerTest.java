package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.maestro.api.PathDirective;
import io.maestro.api.PathDirective.State;
import io.maestro.api.PathReport;
import io.maestro.api.PathSet;
import io.maestro.api.RouteReport;
import io.maestro.path.FabricPlanner.Assignment;
import io.maestro.path.Topology.Ends;
import io.maestro.path.Topology.Link;
import io.maestro.path.Topology.Node;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The controller's view of leaf-spine fabrics with links of random rates. */
class FabricPlannerTest {
  private static final double MBIT = 1e6;

  /** A fabric and the connections between its hosts. */
  private static final class Fabric {
    private final SplittableRandom random;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final int hosts;
    private final int leaves;
    private final int spines;
    private final Map<String, List<PathReport>> connections = new LinkedHashMap<>();
    private final Topology topology;

    Fabric(long seed, int hosts, int leaves, int spines) {
      random = new SplittableRandom(seed);
      this.hosts = hosts;
      this.leaves = leaves;
      this.spines = spines;
      for (int host = 0; host < hosts; host++) {
        nodes.add(new Node("host" + host, true, List.of(address(host)), null));
      }
      for (int leaf = 0; leaf < leaves; leaf++) {
        nodes.add(new Node("leaf" + leaf, false, List.of(), null));
      }
      for (int spine = 0; spine < spines; spine++) {
        nodes.add(new Node("spine" + spine, false, List.of(), null));
        for (int leaf = 0; leaf < leaves; leaf++) {
          link("leaf" + leaf, "spine" + spine);
        }
      }
      for (int host = 0; host < hosts; host++) {
        link("host" + host, "leaf" + host % leaves);
      }
      topology = new Topology(nodes, links);
    }

    private static InetAddress address(int host) {
      return InetAddress.ofLiteral("10.0.%d.%d".formatted(host / 200, 1 + host % 200));
    }

    private void link(String one, String other) {
      long rate = (long) (random.nextInt(1, 11) * 100 * MBIT);
      links.add(new Link(one, other, rate, 1, Ends.UNKNOWN));
      links.add(new Link(other, one, rate, 1, Ends.UNKNOWN));
    }

    /** Paths over random spines. */
    void connect(int from, int to, int paths) {
      List<PathReport> reports = new ArrayList<>();
      for (int id = 0; id < paths; id++) {
        String spine = "spine" + random.nextInt(spines);
        List<String> hops = List.of("leaf" + from % leaves, spine, "leaf" + to % leaves);
        RouteReport.Verdict probed = RouteReport.Verdict.PROBED;
        RouteReport route = new RouteReport(List.of(), hops, List.of(), probed, "");
        reports.add(Reports.path(id, address(from), address(to), route));
      }
      connections.put("%d>%d".formatted(from, to), reports);
    }

    Fabric connectAll(int paths) {
      for (int host = 0; host < hosts; host++) {
        int other = (host + 1 + leaves * random.nextInt(2)) % hosts;
        connect(host, other % leaves == host % leaves ? (other + 1) % hosts : other, paths);
      }
      return this;
    }

    Map<String, Assignment> plan() {
      return new FabricPlanner(topology).plan(connections);
    }

    List<String> linksOf(String connection, int path) {
      String[] ends = connection.split(">", 2);
      List<String> hops = new ArrayList<>();
      hops.add("host" + ends[0]);
      hops.addAll(connections.getOrDefault(connection, List.of()).get(path).route().probed());
      hops.add("host" + ends[1]);
      List<String> names = new ArrayList<>();
      for (int i = 1; i < hops.size(); i++) {
        names.add(hops.get(i - 1) + ">" + hops.get(i));
      }
      return names;
    }

    double capacity(String link) {
      return links.stream()
          .filter(one -> link.equals(one.from() + ">" + one.to()))
          .mapToDouble(Link::bitsPerSecond)
          .findFirst()
          .orElseThrow();
    }
  }

  private static List<Fabric> fabrics(SplittableRandom random) {
    List<Fabric> all = new ArrayList<>();
    for (int run = 0; run < 60; run++) {
      Fabric fabric =
          new Fabric(
              random.nextLong(), random.nextInt(4, 17), random.nextInt(2, 5), random.nextInt(1, 6));
      all.add(fabric.connectAll(random.nextInt(1, 9)));
    }
    return all;
  }

  @Test
  void noLinkCarriesMoreThanItCanAndNoRateCanGrowButAtTheCostOfASmallerOne() {
    long seed = new SplittableRandom().nextLong();
    for (Fabric fabric : fabrics(new SplittableRandom(seed))) {
      Map<String, Double> used = new HashMap<>();
      Map<String, Double> largest = new HashMap<>();
      Map<String, Assignment> plan = fabric.plan();
      plan.forEach(
          (name, assignment) ->
              assignment
                  .bitsPerSecond()
                  .forEach(
                      (path, rate) -> {
                        for (String link : fabric.linksOf(name, path)) {
                          used.merge(link, rate, Double::sum);
                          largest.merge(link, rate, Math::max);
                        }
                      }));
      used.forEach(
          (link, rate) ->
              assertThat(rate)
                  .as("seed %d, %s", seed, link)
                  .isLessThanOrEqualTo(fabric.capacity(link) * (1 + 1e-9)));
      plan.forEach(
          (name, assignment) ->
              assignment
                  .bitsPerSecond()
                  .forEach(
                      (path, rate) ->
                          assertThat(fabric.linksOf(name, path))
                              .as("seed %d: path %d of %s has a bottleneck", seed, path, name)
                              .anyMatch(
                                  link ->
                                      used.getOrDefault(link, 0.0)
                                              >= fabric.capacity(link) * (1 - 1e-9)
                                          && rate
                                              >= largest.getOrDefault(link, 0.0) * (1 - 1e-9))));
    }
  }

  @Test
  void theChosenPathsShareNoLinkThatCanBeAvoidedAndNoneCouldBeAdded() {
    long seed = new SplittableRandom().nextLong();
    for (Fabric fabric : fabrics(new SplittableRandom(seed))) {
      fabric
          .plan()
          .forEach(
              (name, assignment) -> {
                List<Integer> all = new ArrayList<>(assignment.bitsPerSecond().keySet());
                all.addAll(assignment.others());
                List<String> common = new ArrayList<>(fabric.linksOf(name, 0));
                all.forEach(path -> common.retainAll(fabric.linksOf(name, path)));
                List<String> taken = new ArrayList<>();
                for (int path : assignment.bitsPerSecond().keySet()) {
                  List<String> own = new ArrayList<>(fabric.linksOf(name, path));
                  own.removeAll(common);
                  assertThat(Collections.disjoint(taken, own)).as("seed %d", seed).isTrue();
                  taken.addAll(own);
                }
                for (int path : assignment.others()) {
                  assertThat(taken)
                      .as("seed %d", seed)
                      .containsAnyElementsOf(fabric.linksOf(name, path));
                }
              });
    }
  }

  @Test
  void theOrderInWhichConnectionsReportDoesNotMatter() {
    Fabric fabric = new Fabric(5, 12, 3, 4).connectAll(6);
    Map<String, Assignment> plan = fabric.plan();
    List<Map.Entry<String, List<PathReport>>> entries =
        new ArrayList<>(fabric.connections.entrySet());
    for (int run = 0; run < 10; run++) {
      Collections.shuffle(entries, new Random(run));
      fabric.connections.clear();
      entries.forEach(entry -> fabric.connections.put(entry.getKey(), entry.getValue()));
      assertThat(fabric.plan()).isEqualTo(plan);
    }
  }

  @Test
  void weightsAreInProportionToTheRatesAndTheRestIsAssumedBad() {
    Fabric fabric = new Fabric(5, 4, 2, 4);
    fabric.connect(0, 1, 8);
    Assignment assignment = fabric.plan().get("0>1");
    assertThat(assignment.others()).isNotEmpty();
    double sum = assignment.bitsPerSecond().values().stream().mapToDouble(rate -> rate).sum();
    for (PathDirective directive : assignment.directives()) {
      if (directive instanceof PathDirective.Weights weights) {
        assertThat(weights.byPath().keySet()).isEqualTo(assignment.bitsPerSecond().keySet());
        weights
            .byPath()
            .forEach(
                (path, weight) ->
                    assertThat(weight)
                        .isCloseTo(assignment.bitsPerSecond().get(path) / sum, within(1e-9)));
      } else if (directive instanceof PathDirective.Mark mark) {
        boolean other =
            assignment.others().stream().anyMatch(id -> mark.paths().equals(new PathSet.Path(id)));
        assertThat(mark.state()).isEqualTo(other ? State.ASSUMED_BAD : State.GOOD);
      }
    }
  }

  @Test
  void aConnectionWithAnUnknownRouteDecidesForItself() {
    Fabric fabric = new Fabric(5, 4, 2, 4);
    fabric.connect(0, 1, 2);
    List<PathReport> reports = new ArrayList<>(fabric.connections.getOrDefault("0>1", List.of()));
    reports.set(1, reports.get(1).withRoute(RouteReport.unknown("")));
    fabric.connections.put("0>1", reports);
    Assignment assignment = fabric.plan().get("0>1");
    assertThat(assignment.bitsPerSecond()).isEmpty();
    assertThat(assignment.directives())
        .containsExactly(
            new PathDirective.Mark(new PathSet.Path(0), State.GOOD),
            new PathDirective.Mark(new PathSet.Path(1), State.GOOD),
            new PathDirective.Weights(Map.of()));
  }
}
