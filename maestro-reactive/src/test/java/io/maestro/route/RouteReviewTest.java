package io.maestro.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.RouteReport.Verdict;
import io.maestro.api.Routing;
import io.maestro.net.FakeNetwork;
import io.maestro.net.PathPlan;
import io.maestro.net.PathPlanner.Request;
import io.maestro.net.ProbeTarget;
import io.maestro.verbs.WireProtocol;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Paths in use while the network's hash changes: a leaf, some of four spines, a leaf. */
class RouteReviewTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int PATHS = 4;

  private static final Request REQUEST =
      new Request(
          List.of(InetAddress.ofLiteral("10.91.0.1"), InetAddress.ofLiteral("10.91.0.2")),
          List.of(new InetSocketAddress(InetAddress.ofLiteral("10.92.0.1"), 7000)),
          PATHS,
          Duration.ofSeconds(10));

  private int hashSeed;
  private int spines = 4;
  private final Set<InetSocketAddress> connected = new HashSet<>();
  private final RoutePlanner planner =
      new RoutePlanner(
          Routing.PROBE,
          WireProtocol.TCP,
          FakeNetwork.prober(this::routers, target -> connected.contains(target.local())),
          null,
          new SplittableRandom(5));

  private static IntStream seeds() {
    return IntStream.rangeClosed(1, 30);
  }

  private List<InetAddress> routers(ProbeTarget target) {
    long hash =
        new SplittableRandom(
                31L * hashSeed + target.local().hashCode() + target.remote().hashCode())
            .nextLong();
    return List.of(
        InetAddress.ofLiteral("10.93.0.1"),
        InetAddress.ofLiteral("10.93.0.1" + (1 + Math.floorMod(hash, spines))),
        InetAddress.ofLiteral("10.93.0.2"));
  }

  private String spineOf(PathPlan plan) {
    return routers(new ProbeTarget(ProbeTarget.Protocol.TCP, plan.local(), plan.remote()))
        .get(1)
        .getHostAddress();
  }

  private List<String> spinesOf(List<PathPlan> plans) {
    return plans.stream().map(this::spineOf).toList();
  }

  private List<PathPlan> review(List<PathPlan> current) {
    connected.clear();
    current.forEach(plan -> connected.add(plan.local()));
    List<PathPlan> best = planner.review(REQUEST, current).block(LIMIT);
    return best == null ? List.of() : best;
  }

  @Test
  void pathsThatGoAsTheyDidAreLeftAlone() {
    assertThat(review(planner.plan(REQUEST).block(LIMIT))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whenSwitchesHashAnewOnlyPathsThatWereBroughtTogetherMove(int seed) {
    List<PathPlan> before = planner.plan(REQUEST).block(LIMIT);
    hashSeed = seed;
    List<String> now = spinesOf(before);
    List<PathPlan> best = review(before);
    assertThat(spinesOf(best)).as("seed %d", seed).doesNotHaveDuplicates();
    long moved =
        IntStream.range(0, PATHS)
            .filter(i -> !best.get(i).local().equals(before.get(i).local()))
            .count();
    assertThat(moved).as("seed %d", seed).isEqualTo(PATHS - new HashSet<>(now).size());
    assertThat(best).allMatch(plan -> plan.route().verdict() == Verdict.PROBED);
    assertThat(review(best)).as("and then all is well").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void withASpineLessTheOthersAreAllUsedAndWithItBackItIsToo(int seed) {
    List<PathPlan> plans = planner.plan(REQUEST).block(LIMIT);
    spines = 3;
    hashSeed = seed;
    List<PathPlan> three = review(plans);
    assertThat(new HashSet<>(spinesOf(three.isEmpty() ? plans : three)))
        .as("seed %d", seed)
        .hasSize(3);
    spines = 4;
    hashSeed = 0;
    List<PathPlan> four = review(three.isEmpty() ? plans : three);
    assertThat(spinesOf(four)).as("seed %d", seed).doesNotHaveDuplicates();
  }

  @Test
  void nothingIsMovedOnAGuess() {
    List<PathPlan> before = planner.plan(REQUEST).block(LIMIT);
    RoutePlanner blind =
        new RoutePlanner(
            Routing.PROBE, WireProtocol.TCP, FakeNetwork.silent(), null, new SplittableRandom(5));
    assertThat(blind.review(REQUEST, before).blockOptional(LIMIT)).isEmpty();
  }
}
