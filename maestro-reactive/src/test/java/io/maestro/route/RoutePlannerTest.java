package io.maestro.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.RouteReport;
import io.maestro.api.RouteReport.Verdict;
import io.maestro.api.Routing;
import io.maestro.net.FakeNetwork;
import io.maestro.net.PathPlan;
import io.maestro.net.PathPlanner.Request;
import io.maestro.net.ProbeTarget;
import io.maestro.net.RouteProber;
import io.maestro.path.FiveTuple;
import io.maestro.path.Topology;
import io.maestro.path.TopologyJson;
import io.maestro.verbs.WireProtocol;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoutePlannerTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int PATHS = 4;
  private static final Routing PREDICT =
      new Routing(Routing.Mode.PREDICT, Path.of("any"), Duration.ofSeconds(1));

  private static final Request REQUEST =
      new Request(
          addresses("10.91.0.1", "10.91.0.2"),
          addresses("10.92.0.1", "10.92.0.2").stream()
              .map(address -> new InetSocketAddress(address, 7000))
              .toList(),
          PATHS,
          Duration.ofSeconds(10));

  private static IntStream seeds() {
    return IntStream.range(0, 20);
  }

  private static List<InetAddress> addresses(String... literals) {
    return List.of(literals).stream().map(InetAddress::ofLiteral).toList();
  }

  /**
   * Four spines; the switches' addresses are 10.93.0.1 (leaf1), .2 (leaf2), .11 to .14 (spines).
   */
  private static Topology fabric(int seed) {
    StringBuilder links = new StringBuilder();
    StringBuilder spines = new StringBuilder();
    for (int i = 1; i <= 4; i++) {
      spines.append(", {'name': 'spine%d', 'addresses': ['10.93.0.1%d']}".formatted(i, i));
      links.append(
          ", {'from': 'leaf1', 'to': 'spine%d', 'mbit': 200, 'bothWays': true}".formatted(i));
      links.append(
          ", {'from': 'spine%d', 'to': 'leaf2', 'mbit': 200, 'bothWays': true}".formatted(i));
    }
    return TopologyJson.parse(
        """
        {'ecmp': {'hash': 'linux', 'policy': 3, 'fields': 55, 'seed': %d},
         'nodes': [
          {'name': 'a', 'kind': 'host', 'addresses': ['10.91.0.1', '10.91.0.2']},
          {'name': 'b', 'kind': 'host', 'addresses': ['10.92.0.1', '10.92.0.2']},
          {'name': 'leaf1', 'addresses': ['10.93.0.1']},
          {'name': 'leaf2', 'addresses': ['10.93.0.2']}%s],
         'links': [
          {'from': 'a', 'to': 'leaf1', 'bothWays': true},
          {'from': 'leaf2', 'to': 'b', 'bothWays': true}%s]}
        """
            .formatted(seed, spines, links)
            .replace('\'', '"'));
  }

  private static List<InetAddress> routers(Topology topology, ProbeTarget target) {
    FiveTuple tuple =
        new FiveTuple(
            target.local().getAddress(),
            target.local().getPort(),
            target.remote().getAddress(),
            target.remote().getPort(),
            target.protocol() == ProbeTarget.Protocol.TCP ? FiveTuple.TCP : FiveTuple.UDP);
    Map<String, String> hosts = Map.of("leaf1", "1", "leaf2", "2");
    return topology.predict(tuple).route().inner().stream()
        .map(name -> hosts.getOrDefault(name, name.replace("spine", "1")))
        .map(last -> InetAddress.ofLiteral("10.93.0." + last))
        .toList();
  }

  private static RouteProber network(int seed) {
    Topology real = fabric(seed);
    return FakeNetwork.prober(target -> routers(real, target));
  }

  private static RoutePlanner planner(
      Routing routing, WireProtocol wire, RouteProber prober, @Nullable Topology topology) {
    return new RoutePlanner(routing, wire, prober, topology, new SplittableRandom(5));
  }

  private static List<PathPlan> plan(RoutePlanner planner) {
    return planner.plan(REQUEST).block(LIMIT);
  }

  private static List<RouteReport> routes(List<PathPlan> plans) {
    return plans.stream().map(PathPlan::route).toList();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void probingAloneFindsADisjointRouteForEachPath(int seed) {
    List<PathPlan> plans = plan(planner(Routing.PROBE, WireProtocol.TCP, network(1 + seed), null));
    assertThat(routes(plans))
        .as("seed %d", seed)
        .allMatch(route -> route.verdict() == Verdict.PROBED && route.predicted().isEmpty())
        .extracting(route -> route.probed().get(1))
        .containsExactlyInAnyOrder("10.93.0.11", "10.93.0.12", "10.93.0.13", "10.93.0.14");
    assertThat(plans).allMatch(plan -> plan.local().getPort() > 0);
  }

  @Test
  void aTopologyThatHoldsIsVerifiedByProbingNothingButTheChosenPaths() {
    List<ProbeTarget> asked = new ArrayList<>();
    Topology real = fabric(3);
    RouteProber prober =
        FakeNetwork.prober(
            target -> {
              asked.add(target);
              return routers(real, target);
            });
    List<RouteReport> routes =
        routes(plan(planner(Routing.PROBE, WireProtocol.TCP, prober, fabric(3))));
    assertThat(routes)
        .allMatch(route -> route.verdict() == Verdict.AGREED && route.reason().isEmpty())
        .allMatch(route -> route.predicted().equals(route.probed()))
        .allMatch(route -> route.sharedLinks().equals(List.of("a>leaf1", "leaf2>b")))
        .extracting(route -> route.probed().get(1))
        .containsExactlyInAnyOrder("spine1", "spine2", "spine3", "spine4");
    assertThat(new HashSet<>(asked)).hasSize(PATHS);
  }

  @Test
  void aTopologyThatDoesNotHoldIsContradictedAndTheProbesDecide() {
    List<RouteReport> routes =
        routes(plan(planner(Routing.PROBE, WireProtocol.TCP, network(3), fabric(4))));
    assertThat(routes)
        .extracting(route -> route.probed().get(1))
        .containsExactlyInAnyOrder("spine1", "spine2", "spine3", "spine4");
    assertThat(routes)
        .anyMatch(
            route ->
                route.verdict() == Verdict.DISAGREED
                    && route.reason().matches("hop 2 was to be spine. and is spine.: .*leaf1.*"));
  }

  @Test
  void predictionAloneSendsNothing() {
    RouteProber none =
        FakeNetwork.prober(
            target -> {
              throw new AssertionError("a probe was sent");
            });
    assertThat(routes(plan(planner(PREDICT, WireProtocol.TCP, none, fabric(3)))))
        .allMatch(route -> route.verdict() == Verdict.PREDICTED && route.probed().isEmpty())
        .extracting(route -> route.predicted().get(1))
        .doesNotHaveDuplicates();
  }

  @Test
  void roceIsChosenByThePortsOfTheConnectionManagerAndProbedAsUdp() {
    List<ProbeTarget> asked = new ArrayList<>();
    Topology real = fabric(3);
    RouteProber prober =
        FakeNetwork.prober(
            target -> {
              asked.add(target);
              return routers(real, target);
            });
    List<PathPlan> plans = plan(planner(Routing.PROBE, WireProtocol.ROCE_V2, prober, fabric(3)));
    assertThat(routes(plans)).allMatch(route -> route.verdict() == Verdict.AGREED);
    assertThat(plans).allMatch(plan -> plan.remote().getPort() == 7000);
    assertThat(asked)
        .allMatch(target -> target.protocol() == ProbeTarget.Protocol.UDP)
        .allMatch(target -> target.remote().getPort() == 4791)
        .allMatch(target -> target.local().getPort() >= 0xC000);
  }

  @Test
  void whenNothingIsKnownThePathsAreLeftToTheSystemAndSayWhy() {
    RouteProber blocked = FakeNetwork.silent();
    List<PathPlan> plans = plan(planner(Routing.PROBE, WireProtocol.TCP, blocked, null));
    assertThat(plans).hasSize(PATHS).allMatch(plan -> plan.local().getPort() == 0);
    assertThat(plans)
        .extracting(plan -> plan.local().getHostString() + ">" + plan.remote().getHostString())
        .containsExactly(
            "10.91.0.1>10.92.0.1",
            "10.91.0.2>10.92.0.2",
            "10.91.0.1>10.92.0.1",
            "10.91.0.2>10.92.0.2");
    assertThat(routes(plans))
        .allMatch(route -> route.verdict() == Verdict.UNKNOWN)
        .allMatch(route -> route.reason().contains("nothing answered"));
  }

  @Test
  void loopbackAndProvidersWithoutPortsAreNotPlanned() {
    Request loopback =
        new Request(
            List.of(),
            List.of(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7000)),
            PATHS,
            LIMIT);
    RoutePlanner tcp = planner(Routing.PROBE, WireProtocol.TCP, FakeNetwork.silent(), null);
    assertThat(tcp.plan(loopback).block(LIMIT)).isEmpty();
    RoutePlanner opaque = planner(Routing.PROBE, WireProtocol.OPAQUE, FakeNetwork.silent(), null);
    assertThat(opaque.plan(REQUEST).block(LIMIT)).isEmpty();
    RoutePlanner off = planner(Routing.OFF, WireProtocol.TCP, FakeNetwork.silent(), null);
    assertThat(off.plan(REQUEST).block(LIMIT)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aPathThatIsPlannedAgainNeverJoinsTheSpineOfAnother(int seed) {
    RoutePlanner planner = planner(Routing.PROBE, WireProtocol.TCP, network(1 + seed), null);
    List<PathPlan> plans = new ArrayList<>(plan(planner));
    for (int round = 0; round < 20; round++) {
      int path = round % PATHS;
      plans.set(path, planner.replan(REQUEST, path, plans).block(LIMIT));
      assertThat(spines(plans)).as("seed %d, round %d", seed, round).doesNotHaveDuplicates();
    }
  }

  private static List<String> spines(List<PathPlan> plans) {
    return routes(plans).stream().map(route -> route.probed().get(1)).toList();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aPathThatKeepsFailingTriesTheSpinesThatNoOtherUses(int seed) {
    RoutePlanner planner = planner(Routing.PROBE, WireProtocol.TCP, network(1 + seed), null);
    Request two = new Request(REQUEST.locals(), REQUEST.remotes(), 2, REQUEST.budget());
    List<PathPlan> plans = new ArrayList<>(planner.plan(two).block(LIMIT));
    Set<String> tried = new HashSet<>();
    for (int round = 0; round < 20; round++) {
      plans.set(1, planner.replan(two, 1, plans).block(LIMIT));
      tried.add(spines(plans).get(1));
      assertThat(spines(plans)).as("seed %d, round %d", seed, round).doesNotHaveDuplicates();
    }
    assertThat(tried).as("seed %d", seed).hasSizeGreaterThan(1);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aMeasurementGoesTheWayOfItsPathFromAnotherPort(int seed) {
    RoutePlanner planner = planner(Routing.PROBE, WireProtocol.TCP, network(1 + seed), null);
    List<PathPlan> plans = plan(planner);
    for (int path = 0; path < PATHS; path++) {
      PathPlan beside = planner.beside(REQUEST, path, plans).block(LIMIT);
      if (beside != null) { // else no other is known to lead there
        assertThat(beside.local()).isNotEqualTo(plans.get(path).local());
        assertThat(beside.route().probed()).isEqualTo(plans.get(path).route().probed());
      }
    }
  }
}
