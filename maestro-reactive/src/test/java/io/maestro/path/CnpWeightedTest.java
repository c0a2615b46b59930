package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.PathSample;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the strategy does with single samples, whatever they say. */
class CnpWeightedTest {
  private static final int CHUNK = 50 * 1024;
  private static final long MAX_WINDOW = 4 << 20;

  private final PathPlan plan = new PathPlan(64, CHUNK, MAX_WINDOW);
  private final CnpWeighted balancer = new CnpWeighted();

  private static PathSample sample(int path, long acked, double marked, double lag) {
    return new PathSample(
        path,
        true,
        10_000_000,
        acked,
        0,
        0,
        1_000_000,
        100_000,
        1_000_000,
        marked > 0 ? 1 : 0,
        marked,
        0,
        lag);
  }

  private static PathSample gone(int path) {
    return new PathSample(path, false, 10_000_000, 0, 0, 0, 0, 0, 0, -1, -1, -1, 0);
  }

  @Test
  void weightsSumToOneAndNoUsablePathStarvesWhateverIsSeen() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    for (int run = 0; run < 200; run++) {
      CnpWeighted fresh = new CnpWeighted();
      int paths = random.nextInt(1, 65);
      for (int round = 0; round < 100; round++) {
        List<PathSample> samples =
            IntStream.range(0, paths).mapToObj(i -> anything(i, random)).toList();
        fresh.plan(samples, plan);
        check(samples, seed);
      }
    }
  }

  private void check(List<PathSample> samples, long seed) {
    double sum = samples.stream().mapToDouble(s -> plan.weight(s.path())).sum();
    boolean any = samples.stream().anyMatch(PathSample::usable);
    assertThat(sum).as("seed %d", seed).isBetween(any ? 1 - 1e-9 : 0, any ? 1 + 1e-9 : 0);
    for (PathSample sample : samples) {
      double weight = plan.weight(sample.path());
      if (sample.usable()) {
        assertThat(weight)
            .as("seed %d", seed)
            .isGreaterThan(Math.min(0.01, 0.25 / samples.size()) / 1.3);
        assertThat(plan.windowBytes(sample.path()))
            .as("seed %d", seed)
            .isBetween((long) CHUNK, MAX_WINDOW);
        assertThat(plan.neededBytes(sample.path()))
            .as("seed %d", seed)
            .isBetween(1L, plan.windowBytes(sample.path()));
      } else {
        assertThat(weight).as("seed %d", seed).isZero();
      }
    }
  }

  private static PathSample anything(int path, SplittableRandom random) {
    double marked = random.nextInt(3) - 1;
    return new PathSample(
        path,
        random.nextInt(8) > 0,
        random.nextLong(1, 200_000_000),
        random.nextLong() >>> random.nextInt(1, 64),
        random.nextLong(MAX_WINDOW),
        random.nextLong() >>> random.nextInt(1, 64),
        random.nextLong() >>> random.nextInt(1, 64),
        random.nextLong() >>> random.nextInt(1, 64),
        random.nextLong() >>> random.nextInt(1, 64),
        marked > 0 ? random.nextInt(1, 1000) : (long) marked,
        marked > 0 ? random.nextDouble() : marked,
        random.nextInt(10),
        random.nextDouble(-3, 3));
  }

  private void see(int rounds, PathSample... samples) {
    for (int round = 0; round < rounds; round++) {
      balancer.plan(List.of(samples), plan);
    }
  }

  @Test
  void aPathThatCannotCarryItsShareGetsWhatItCarries() {
    see(100, sample(0, 1_000_000, 0, 0), sample(1, 100_000, 0, 1));
    assertThat(plan.weight(1)).isBetween(0.0909, 0.1);
    assertThat(plan.windowBytes(1)).isLessThan(plan.windowBytes(0));
  }

  @Test
  void aPathThatOnlyHappenedToCarryLessKeepsItsShare() {
    see(1, sample(0, 0, 0, 0), sample(1, 0, 0, 0));
    see(100, sample(0, 1_000_000, 0, 0), sample(1, 500_000, 0, 0));
    assertThat(plan.weight(1)).isEqualTo(0.5);
  }

  @Test
  void aPathThatShowsNoLimitAnyMoreGetsAnEqualShareWithinSeconds() {
    see(100, sample(0, 1_000_000, 0, 0), sample(1, 300_000, 0, 1));
    see(1500, sample(0, 1_000_000, 0, 0), sample(1, 300_000, 0, 0));
    assertThat(plan.weight(1)).isBetween(0.45, 0.5);
  }

  @Test
  void aPathThatIsMarkedMoreThanTheOthersGivesWay() {
    see(40, sample(0, 1_000_000, 0.5, 0), sample(1, 1_000_000, 0, 0), sample(2, 1_000_000, 0, 0));
    assertThat(plan.weight(0)).isLessThan(0.3);
    assertThat(plan.weight(1)).isEqualTo(plan.weight(2));
    assertThat(plan.windowBytes(0)).isLessThan(plan.windowBytes(1));
  }

  @Test
  void marksOnAllPathsAlikeShiftNothing() {
    see(100, sample(0, 1_000_000, 0.5, 0), sample(1, 1_000_000, 0.5, 0));
    assertThat(plan.weight(0)).isEqualTo(0.5);
  }

  @Test
  void absentMarksAreNotCongestion() {
    PathSample zero = sample(0, 1_000_000, 0, 0);
    PathSample absent =
        new PathSample(1, true, 10_000_000, 1_000_000, 0, 0, 0, 100_000, 1_000_000, -1, -1, -1, 0);
    see(100, zero, absent);
    assertThat(plan.weight(0)).isEqualTo(0.5);
    assertThat(plan.windowBytes(0)).isEqualTo(plan.windowBytes(1));
  }

  @Test
  void aWindowShrinksToWhatKeepsThePathBusyButNotBelow() {
    PathSample marked = sample(0, 1_000_000, 1, 0);
    see(1000, marked);
    long needed = PathWindow.neededBytes(100_000_000, marked.minRttNs(), CHUNK);
    assertThat(plan.windowBytes(0)).isBetween(needed - 1000, needed + 1000);
    see(1000, sample(0, 1_000_000, 0, 0));
    assertThat(plan.windowBytes(0))
        .isEqualTo(PathWindow.windowBytes(100_000_000, marked, CHUNK, MAX_WINDOW));
  }

  @Test
  void aPathThatComesBackBeginsWithTheMeanShare() {
    see(50, sample(0, 1_000_000, 0, 0), sample(1, 1_000_000, 0, 0), gone(2));
    assertThat(plan.weight(2)).isZero();
    see(1, sample(0, 1_000_000, 0, 0), sample(1, 1_000_000, 0, 0), sample(2, 0, 0, 0));
    assertThat(plan.weight(2)).isBetween(0.33, 0.34);
    see(1, sample(0, 1_000_000, 0, 0), gone(1), gone(2));
    assertThat(plan.weight(0)).isEqualTo(1);
  }

  @Test
  void withoutUsablePathsNothingIsPlanned() {
    List<PathSample> none = new ArrayList<>();
    balancer.plan(none, plan);
    see(2, gone(0), gone(1));
    assertThat(plan.weight(0) + plan.weight(1)).isZero();
  }
}
