package io.maestro.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors that are reduced while others are still being computed. */
abstract class BucketsContract {

  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final ElementType TYPE = ElementType.INT32;
  private static final long BUCKET_BYTES = 1000;

  /** In elements: large and small ones, and one of several slices. */
  private static final List<Integer> TENSORS = List.of(7, 300, 0, 5, 2_500_001, 1, 260, 249);

  private static final int COUNT = TENSORS.stream().mapToInt(Integer::intValue).sum();
  private static final int LAST_BUCKET = 249 + 260;

  abstract RankNetwork network(int ranks);

  private static Buckets buckets(Region region) {
    return Buckets.of(region, TENSORS.stream().map(n -> 4L * n).toList(), BUCKET_BYTES);
  }

  private static void assertReduced(Region region, int ranks, int from) {
    for (int i = from; i < COUNT; i += i < 1000 || i > COUNT - 1000 ? 1 : 997) {
      assertThat(Vectors.get(region, TYPE, i))
          .as("element %d", i)
          .isEqualTo(Vectors.expected(ReduceOp.SUM, ranks, i));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void bucketsAreReducedWhoeverIsReadyFirst(int size) {
    try (Ranks ranks = new Ranks(network(size), size, DEADLINE)) {
      List<Region> regions =
          ranks.numbers().mapToObj(rank -> Vectors.of(TYPE, COUNT, rank)).toList();
      List<Buckets> steps = regions.stream().map(BucketsContract::buckets).toList();
      steps.getFirst().allReady();
      List<CompletableFuture<Void>> calls =
          ranks.begin(m -> m.allReduce(steps.get(m.rank()), TYPE, ReduceOp.SUM));
      ranks
          .numbers()
          .skip(1)
          .forEach(
              rank ->
                  IntStream.range(0, TENSORS.size())
                      .map(i -> (i + rank) % TENSORS.size())
                      .forEach(steps.get(rank)::ready));
      calls.forEach(call -> ranks.await(call).join());
      regions.forEach(region -> assertReduced(region, size, 0));
      regions.forEach(Region::close);
    }
  }

  @Test
  void theLastTensorsAreReducedWhileTheFirstAreNotThereYet() {
    try (Ranks ranks = new Ranks(network(2), 2, DEADLINE)) {
      List<Region> regions =
          ranks.numbers().mapToObj(rank -> Vectors.of(TYPE, COUNT, rank)).toList();
      List<Buckets> steps = regions.stream().map(BucketsContract::buckets).toList();
      List<CompletableFuture<Void>> calls =
          ranks.begin(m -> m.allReduce(steps.get(m.rank()), TYPE, ReduceOp.SUM));
      for (Buckets step : steps) {
        step.ready(7);
        step.ready(6);
      }
      for (Region region : regions) {
        ranks.until(() -> isReduced(region));
        assertReduced(region, 2, COUNT - LAST_BUCKET);
        assertThat(Vectors.get(region, TYPE, COUNT - LAST_BUCKET - 2))
            .as("the next bucket")
            .isIn(
                Vectors.value(0, COUNT - LAST_BUCKET - 2),
                Vectors.value(1, COUNT - LAST_BUCKET - 2));
      }
      assertThat(calls).noneMatch(CompletableFuture::isDone);
      steps.forEach(step -> IntStream.range(0, 6).forEach(step::ready));
      calls.forEach(call -> ranks.await(call).join());
      regions.forEach(region -> assertReduced(region, 2, 0));
      regions.forEach(Region::close);
    }
  }

  /** The blocks of both ranks end with these elements, in whose place both have the sum. */
  private static boolean isReduced(Region region) {
    return IntStream.rangeClosed(COUNT - LAST_BUCKET, COUNT - 1)
        .allMatch(i -> Vectors.get(region, TYPE, i) == Vectors.expected(ReduceOp.SUM, 2, i));
  }

  @Test
  void ranksWithOtherBucketsAreTold() {
    try (Ranks ranks = new Ranks(network(2), 2, DEADLINE)) {
      Region region = Vectors.of(TYPE, 4, 0);
      List<Buckets> steps =
          List.of(Buckets.of(region, List.of(8L, 8L), 1), Buckets.of(region, List.of(8L, 8L), 16));
      steps.forEach(Buckets::allReady);
      List<CompletableFuture<Void>> calls =
          ranks.begin(m -> m.allReduce(steps.get(m.rank()), TYPE, ReduceOp.SUM));
      assertThat(calls)
          .allSatisfy(
              call ->
                  assertThat(ranks.await(call).exceptionNow())
                      .isInstanceOf(MaestroException.class)
                      .hasMessageContaining("is another one than here"));
      region.close();
    }
  }

  @Test
  void tensorsHaveWholeElements() {
    try (Ranks ranks = new Ranks(network(1), 1, DEADLINE);
        Region region = Region.allocate(8)) {
      Buckets halves = Buckets.of(region, List.of(6L, 2L), 1);
      assertThatThrownBy(() -> ranks.member(0).allReduce(halves, TYPE, ReduceOp.SUM))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no whole number of INT32");
    }
  }
}
