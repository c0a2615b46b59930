package io.maestro.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Region;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Calls at random, to which ranks come at random times: each rank refuses messages of a second
 * later call, so that none gets further ahead than its memory is meant for.
 */
class RandomCallsTest {

  private static final ElementType TYPE = ElementType.INT64;

  /** A call of all ranks, and what holds afterwards. */
  private record Step(List<Region> regions, Call call, Runnable check) {}

  @FunctionalInterface
  private interface Call {
    Mono<Void> of(Communicator member, Region region);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void ranksThatComeAtAnyTimeAreNeverFurtherAheadThanOneLaterCall(long seed) {
    Random random = new Random(seed);
    int size = 2 + random.nextInt(8);
    SimNetwork network = new SimNetwork(seed, size);
    try (Ranks ranks = new Ranks(network, size, Duration.ofSeconds(60))) {
      List<Step> steps = IntStream.range(0, 40).mapToObj(i -> step(random, size)).toList();
      List<CompletableFuture<Void>> runs = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        runs.add(run(ranks.member(rank), steps, new Random(seed + rank), network).toFuture());
      }
      runs.forEach(run -> ranks.await(run).join());
      steps.forEach(step -> step.check().run());
      steps.forEach(step -> step.regions().forEach(Region::close));
    }
  }

  private static Mono<Void> run(
      Communicator member, List<Step> steps, Random delays, SimNetwork network) {
    return Flux.fromIterable(steps)
        .concatMap(
            step -> {
              boolean late = delays.nextInt(4) == 0;
              Duration delay = Duration.ofNanos(late ? delays.nextInt(20_000_000) : 0);
              return Mono.delay(delay, network.scheduler())
                  .then(Mono.defer(() -> step.call.of(member, step.regions.get(member.rank()))));
            })
        .then();
  }

  private static Step step(Random random, int size) {
    int count = new int[] {0, 1, 50, 3000, 20_000}[random.nextInt(5)] * size;
    List<Region> regions =
        IntStream.range(0, size).mapToObj(rank -> Vectors.of(TYPE, count, rank)).toList();
    int root = random.nextInt(size);
    return switch (random.nextInt(7)) {
      case 0 -> new Step(regions, (m, region) -> m.barrier(), () -> {});
      case 1 ->
          new Step(
              regions,
              (m, region) -> m.broadcast(root, region),
              () -> assertThat(regions).allSatisfy(region -> same(region, root, count)));
      case 2 ->
          new Step(
              regions,
              (m, region) -> m.reduce(root, region, TYPE, ReduceOp.SUM),
              () -> Vectors.assertSums(regions.get(root).segment(), size, 0));
      case 3 ->
          new Step(
              regions,
              (m, region) -> m.reduceScatter(region, TYPE, ReduceOp.SUM),
              () -> sums(regions, size));
      case 4 -> new Step(regions, (m, region) -> m.allGather(region, TYPE), () -> {});
      case 5 -> new Step(regions, (m, region) -> m.allToAll(region), () -> {});
      default ->
          new Step(
              regions,
              (m, region) -> m.allReduce(region, TYPE, ReduceOp.SUM),
              () -> regions.forEach(r -> Vectors.assertSums(r.segment(), size, 0)));
    };
  }

  private static void same(Region region, int rank, int count) {
    Region expected = Vectors.of(TYPE, count, rank);
    assertThat(region.segment().mismatch(expected.segment())).isEqualTo(-1);
    expected.close();
  }

  private static void sums(List<Region> regions, int size) {
    for (int rank = 0; rank < size; rank++) {
      Blocks blocks = Blocks.of(regions.get(rank), TYPE.bytes(), size);
      Piece block = blocks.block(rank);
      Vectors.assertSums(block.memory(), size, block.offset() / TYPE.bytes());
    }
  }
}
