package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.maestro.api.ControlReport.Refusal;
import io.maestro.api.PathDirective;
import io.maestro.api.PathDirective.Mark;
import io.maestro.api.PathDirective.State;
import io.maestro.api.PathDirective.Weights;
import io.maestro.api.PathEvent;
import io.maestro.api.PathSet;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a controller may decide, and what not. */
class ControllerDrivenTest {
  private static final int PATHS = 4;

  private static ControllerDriven following(int floor) {
    ControllerDriven balancer = new ControllerDriven(new CnpWeighted(), floor);
    balancer.follow();
    balancer.paths(Reports.paths(PATHS));
    return balancer;
  }

  private static PathPlan plan() {
    return new PathPlan(64, 50_000, 4_000_000);
  }

  private static double[] shares(ControllerDriven balancer, Integer... down) {
    PathPlan plan = plan();
    balancer.plan(Reports.samples(PATHS, id -> !List.of(down).contains(id)), plan);
    return IntStream.range(0, PATHS).mapToDouble(plan::weight).toArray();
  }

  private static Mark mark(int path, State state) {
    return new Mark(new PathSet.Path(path), state);
  }

  @Test
  void weightsAreFollowedInProportion() {
    ControllerDriven balancer = following(1);
    assertThat(balancer.accept(new Weights(Map.of(0, 6.0, 1, 3.0, 3, 1.0)))).isEmpty();
    assertThat(shares(balancer)).containsExactly(new double[] {0.6, 0.3, 0, 0.1}, within(1e-9));
    assertThat(shares(balancer, 0, 1)).containsExactly(new double[] {0, 0, 0, 1}, within(1e-9));
  }

  @Test
  void withoutANamedPathTheSharesAreThoseOfTheOtherStrategy() {
    ControllerDriven balancer = following(1);
    balancer.accept(new Weights(Map.of(0, 1.0)));
    double third = 1.0 / 3;
    assertThat(shares(balancer, 0))
        .containsExactly(new double[] {0, third, third, third}, within(1e-9));
  }

  @Test
  void anAssumedBadPathIsUsedWhenNoGoodOneIsLeft() {
    ControllerDriven balancer = following(1);
    balancer.accept(mark(0, State.ASSUMED_BAD));
    balancer.accept(mark(1, State.ASSUMED_BAD));
    balancer.accept(mark(2, State.DENY));
    assertThat(shares(balancer)).containsExactly(0, 0, 0, 1);
    assertThat(shares(balancer, 3)).containsExactly(new double[] {0.5, 0.5, 0, 0}, within(1e-9));
    assertThat(balancer.overruled()).isEmpty();
    assertThat(shares(balancer, 0, 1, 3)).containsExactly(0, 0, 1, 0);
    assertThat(balancer.overruled()).containsExactly(2);
  }

  @Test
  void whatWasDeniedLastIsWhatTheFloorKeeps() {
    ControllerDriven balancer = following(1);
    for (int path : List.of(2, 0, 3, 1)) {
      balancer.accept(mark(path, State.DENY));
    }
    assertThat(shares(balancer)).containsExactly(0, 1, 0, 0);
    balancer.accept(mark(2, State.DENY)); // said again: nothing new
    assertThat(shares(balancer)).containsExactly(0, 1, 0, 0);
    assertThat(shares(balancer, 1)).containsExactly(0, 0, 0, 1);
  }

  @Test
  void theWorstOfTheStatesOfAPathCounts() {
    ControllerDriven balancer = following(1);
    balancer.accept(
        new Mark(
            new PathSet.Pair(InetAddress.ofLiteral("10.0.0.2"), InetAddress.ofLiteral("10.0.1.0")),
            State.DENY));
    balancer.accept(mark(2, State.ASSUMED_BAD));
    balancer.accept(new Mark(new PathSet.Link("spine1", "leaf2"), State.DENY));
    assertThat(shares(balancer)).containsExactly(new double[] {0.5, 0, 0, 0.5}, within(1e-9));
    balancer.accept(mark(2, State.GOOD));
    assertThat(shares(balancer)[2]).isZero();
    balancer.accept(new Mark(new PathSet.Link("spine1", "leaf2"), State.GOOD));
    assertThat(shares(balancer)[1]).isPositive();
  }

  @Test
  void unknownPathsAreIgnoredAndReported() {
    ControllerDriven balancer = following(1);
    assertThat(balancer.accept(mark(9, State.DENY)))
        .containsExactly(new Refusal(PathEvent.CONNECTION, "no path is in Path[id=9]"));
    assertThat(balancer.accept(new Mark(new PathSet.Link("spine9", "leaf2"), State.DENY)))
        .hasSize(1);
    assertThat(balancer.accept(new Weights(Map.of(9, 1.0, 0, 1.0))))
        .containsExactly(new Refusal(9, "there is no path 9 to have a weight"));
    assertThat(shares(balancer)).containsExactly(1, 0, 0, 0);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, -1, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 2e9})
  void malformedWeightsAreRejected(double weight) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Weights(Map.of(0, 1.0, 3, weight)))
        .withMessage("the weight of path 3 must be from 0 to 1000000000, was " + weight);
  }

  @Test
  void weightsThatAreAllZeroAreRejected() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Weights(Map.of(0, 0.0, 1, -0.0)));
  }

  @Test
  void withoutAControllerTheOtherStrategyPlansAlone() {
    ControllerDriven balancer = following(1);
    balancer.accept(mark(0, State.DENY));
    balancer.accept(new Weights(Map.of(1, 1.0)));
    balancer.leave();
    assertThat(shares(balancer)).containsExactly(0.25, 0.25, 0.25, 0.25);
    balancer.follow();
    assertThat(shares(balancer)).containsExactly(0.25, 0.25, 0.25, 0.25);
  }

  @Test
  void chunksGoWhereTheOtherStrategyChoosesUntilThereAreWeights() {
    ControllerDriven balancer = new ControllerDriven(new RoundRobin(), 1);
    PathLoad load = new PathLoad(PATHS);
    load.paths(PATHS);
    for (int path = 0; path < PATHS; path++) {
      load.usable(path, true);
      load.window(path, 50_000, 50_000);
    }
    load.unackedBytes(0, 50_000);
    assertThat(balancer.choose(load, 50_000, 0)).isEqualTo(EarliestCompletion.WAIT);
    balancer.follow();
    balancer.paths(Reports.paths(PATHS));
    assertThat(balancer.choose(load, 50_000, 0)).isEqualTo(EarliestCompletion.WAIT);
    balancer.accept(new Weights(Map.of(0, 1.0, 1, 1.0)));
    assertThat(balancer.choose(load, 50_000, 0)).isPositive();
    balancer.leave();
    assertThat(balancer.choose(load, 50_000, 0)).isEqualTo(EarliestCompletion.WAIT);
  }

  @Test
  void aPathWithALargerShareMayHaveMoreInFlight() {
    ControllerDriven balancer = following(1);
    PathPlan before = plan();
    balancer.plan(Reports.samples(PATHS, id -> true), before);
    balancer.accept(new Weights(Map.of(0, 3.0, 1, 1.0)));
    for (int round = 0; round < 3; round++) {
      balancer.plan(Reports.samples(PATHS, id -> true), before);
    }
    PathPlan local = plan();
    assertThat(before.windowBytes(0)).isEqualTo(3 * local.windowBytes(0));
    assertThat(before.windowBytes(1)).isEqualTo(local.windowBytes(1));
  }

  /** Anything may be said while paths come and go. */
  @Test
  void sharesSumTo1AndTheFloorIsAlwaysKept() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    for (int run = 0; run < 300; run++) {
      int count = random.nextInt(1, 12);
      int floor = random.nextInt(1, 6);
      ControllerDriven balancer = new ControllerDriven(new CnpWeighted(), floor);
      balancer.follow();
      balancer.paths(Reports.paths(count));
      Set<Integer> denied = new HashSet<>();
      for (int step = 0; step < 40; step++) {
        PathDirective directive = randomDirective(random, count, denied);
        balancer.accept(directive);
        boolean[] up = new boolean[count];
        for (int path = 0; path < count; path++) {
          up[path] = random.nextInt(4) > 0;
        }
        check(balancer, up, denied, floor, "seed %d, %s".formatted(seed, directive));
      }
    }
  }

  private static PathDirective randomDirective(
      SplittableRandom random, int count, Set<Integer> denied) {
    int path = random.nextInt(count);
    return switch (random.nextInt(6)) {
      case 0 -> {
        Map<Integer, Double> weights = new HashMap<>();
        random.ints(count, 0, count + 2).forEach(id -> weights.put(id, random.nextDouble(0.1, 9)));
        yield new Weights(weights);
      }
      case 1 -> {
        denied.remove(path);
        yield mark(path, State.GOOD);
      }
      case 2 -> {
        denied.remove(path);
        yield mark(path, State.ASSUMED_BAD);
      }
      case 3 -> new PathDirective.Heartbeat();
      default -> {
        denied.add(path);
        yield mark(path, State.DENY);
      }
    };
  }

  private static void check(
      ControllerDriven balancer, boolean[] up, Set<Integer> denied, int floor, String what) {
    PathPlan plan = plan();
    balancer.plan(Reports.samples(up.length, path -> up[path]), plan);
    List<Integer> usable = IntStream.range(0, up.length).filter(path -> up[path]).boxed().toList();
    double sum = usable.stream().mapToDouble(plan::weight).sum();
    assertThat(sum).as(what).isCloseTo(usable.isEmpty() ? 0 : 1, within(1e-9));
    long left =
        usable.stream()
            .filter(path -> !denied.contains(path) || balancer.overruled().contains(path))
            .count();
    assertThat(left).as(what).isGreaterThanOrEqualTo(Math.min(floor, usable.size()));
    for (int path : usable) {
      boolean carries = plan.weight(path) > 0;
      boolean mayCarry = !denied.contains(path) || balancer.overruled().contains(path);
      assertThat(carries && !mayCarry).as("path %d, %s", path, what).isFalse();
      assertThat(plan.windowBytes(path)).as(what).isBetween(1L, plan.maxWindowBytes());
    }
  }
}
