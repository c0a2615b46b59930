package io.maestro.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class RouteProberTest {
  private static final Duration BUDGET = Duration.ofSeconds(10);
  private static final ProbeOptions OPTIONS =
      new ProbeOptions(12, 3, Duration.ofMillis(50), 1000, 64);

  private static RouteProber prober(FakeNetwork network, ProbeOptions options) {
    return new RouteProber(
        options, network, () -> network, Optional.empty(), Schedulers.immediate());
  }

  private static List<ProbeTarget> targets(int count) {
    return IntStream.range(0, count).mapToObj(i -> target(20000 + i)).toList();
  }

  private static ProbeTarget target(int port) {
    return new ProbeTarget(
        ProbeTarget.Protocol.TCP,
        new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), port),
        new InetSocketAddress(InetAddress.ofLiteral("10.9.0.1"), 7000));
  }

  private static List<ProbedRoute> probe(
      FakeNetwork network, ProbeOptions options, int count, Duration budget) {
    List<ProbedRoute> routes =
        prober(network, options).probe(targets(count), budget).block(Duration.ofSeconds(30));
    assertThat(routes).isNotNull().hasSize(count);
    assertThat(network.open).isZero();
    return routes;
  }

  private static void assertTrue(FakeNetwork network, ProbedRoute route) {
    for (int hop = 1; hop <= route.hops().size(); hop++) {
      Hop seen = route.hops().get(hop - 1);
      InetAddress router = network.router(hop, route.target());
      assertThat(seen.isKnown() ? seen.address() : router)
          .as("hop %d of %s", hop, route.target())
          .isEqualTo(router);
    }
  }

  @Test
  void everyHopOfEveryTargetIsLearntAndThePeerHearsOfOneOnly() {
    FakeNetwork network = new FakeNetwork(1, 1, 4, 2, 1);
    for (ProbedRoute route : probe(network, OPTIONS, 40, BUDGET)) {
      assertThat(route.isComplete()).isTrue();
      assertThat(route.hops()).hasSize(4);
      assertTrue(network, route);
    }
    assertThat(network.seenByPeer).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void lostProbesAreRepeatedAndWhatIsStillMissingIsUnknownNeverWrong(long seed) {
    FakeNetwork network = new FakeNetwork(seed, 1, 4, 2, 1);
    network.loss = 0.2;
    List<ProbedRoute> routes = probe(network, OPTIONS, 60, BUDGET);
    routes.forEach(route -> assertTrue(network, route));
    // A hop stays unknown with probability 0.008, so a route of four is complete with 0.97.
    assertThat(routes.stream().filter(ProbedRoute::isComplete).count())
        .as("seed %d", seed)
        .isGreaterThan(45);
  }

  @Test
  void aRouterThatNeverAnswersIsUnknownAndTheHopsBehindItAreKnown() {
    FakeNetwork network = new FakeNetwork(1, 1, 4, 2);
    network.silentHops.add(2);
    for (ProbedRoute route : probe(network, OPTIONS, 10, BUDGET)) {
      assertThat(route.hops()).extracting(Hop::isKnown).containsExactly(true, false, true);
      assertThat(route.reached()).isTrue();
      assertThat(route.note()).contains("did not answer");
    }
  }

  @Test
  void aBlockedProbeSaysUnknownAfterThreeSilentHops() {
    FakeNetwork network = new FakeNetwork(1, 1, 4, 2, 1);
    network.silentHops.addAll(List.of(1, 2, 3, 4));
    network.peerSilent = true;
    for (ProbedRoute route : probe(network, OPTIONS, 10, BUDGET)) {
      assertThat(route.hops()).isEmpty();
      assertThat(route.reached()).isFalse();
      assertThat(route.note()).contains("nothing answered beyond hop 0");
    }
    assertThat(network.sent).hasSize(3 * OPTIONS.attempts());
  }

  @Test
  void aRouterThatRefusesEndsTheRouteThere() {
    FakeNetwork network = new FakeNetwork(1, 1, 4, 2, 1);
    network.refusingHop = 2;
    for (ProbedRoute route : probe(network, OPTIONS, 3, BUDGET)) {
      assertThat(route.hops()).hasSize(1);
      assertThat(route.reached()).isFalse();
      assertThat(route.note()).contains("refused by /10.102.");
    }
  }

  @Test
  void probesKeepToTheRateAndToTheBurst() {
    FakeNetwork network = new FakeNetwork(1, 1, 4, 2);
    ProbeOptions slow = new ProbeOptions(12, 3, Duration.ofMillis(50), 100, 8);
    probe(network, slow, 50, BUDGET);
    for (int i = 0; i < network.sentNs.size(); i++) {
      long fromNs = network.sentNs.get(i);
      long within = network.sentNs.stream().filter(t -> t >= fromNs && t - fromNs < 1e9).count();
      assertThat(within).isLessThanOrEqualTo(100 + 8);
    }
    assertThat(network.nanoTime()).isGreaterThan(Duration.ofMillis(1300).toNanos());
  }

  @Test
  void whatTheBudgetDoesNotSufficeForIsUnknown() {
    FakeNetwork network = new FakeNetwork(1, 1, 4, 2);
    ProbeOptions slow = new ProbeOptions(12, 3, Duration.ofMillis(50), 100, 8);
    List<ProbedRoute> routes = probe(network, slow, 50, Duration.ofMillis(300));
    assertThat(network.nanoTime()).isLessThan(Duration.ofMillis(330).toNanos());
    assertThat(routes).anyMatch(route -> route.note().contains("no time"));
    routes.forEach(route -> assertTrue(network, route));
  }

  @Test
  void aPortInUseIsUnknownAndAnotherTellsTheDistance() {
    FakeNetwork network = new FakeNetwork(1, 1, 4, 2);
    network.takenPorts.add(20000);
    List<ProbedRoute> routes = probe(network, OPTIONS, 3, BUDGET);
    assertThat(routes.get(0).hops()).isEmpty();
    assertThat(routes.get(0).note()).contains("in use");
    assertThat(routes.subList(1, 3)).allMatch(ProbedRoute::isComplete);
  }

  @Test
  void batchesEndWhenEnoughIsKnownAndShareTheDistance() {
    FakeNetwork network = new FakeNetwork(1, 1, 4, 2);
    List<ProbeTarget> all = targets(30);
    StepVerifier.create(
            prober(network, OPTIONS)
                .probe(
                    List.of(all.subList(0, 10), all.subList(10, 20), all.subList(20, 30)),
                    routes -> routes.size() >= 20,
                    BUDGET))
        .assertNext(routes -> assertThat(routes).hasSize(20).allMatch(ProbedRoute::isComplete))
        .expectComplete()
        .verify(Duration.ofSeconds(10));
    assertThat(network.seenByPeer).hasSize(1);
  }

  @Test
  void whereProbingIsNotSupportedEveryRouteIsUnknown() {
    FakeNetwork network = new FakeNetwork(1, 1);
    RouteProber none =
        new RouteProber(
            OPTIONS, network, () -> network, Optional.of("not here"), Schedulers.immediate());
    StepVerifier.create(none.probe(targets(2), BUDGET))
        .assertNext(
            routes ->
                assertThat(routes)
                    .hasSize(2)
                    .allMatch(route -> route.hops().isEmpty() && route.note().equals("not here")))
        .expectComplete()
        .verify(Duration.ofSeconds(10));
    assertThat(network.sent).isEmpty();
  }
}
