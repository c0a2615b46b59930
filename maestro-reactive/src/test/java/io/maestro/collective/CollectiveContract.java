package io.maestro.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** What holds for collectives on any network. */
abstract class CollectiveContract {

  private static final Duration DEADLINE = Duration.ofSeconds(30);

  abstract RankNetwork network(int ranks);

  private Ranks ranks(int size) {
    return new Ranks(network(size), size, DEADLINE);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 9})
  void everyTypeAndOperationIsReducedToTheSameBitsOnAllRanks(int size) {
    try (Ranks ranks = ranks(size)) {
      for (ElementType type : ElementType.values()) {
        for (ReduceOp op : ReduceOp.values()) {
          reduces(ranks, type, op, 13);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void emptySmallOddAndLargeRegionsAreReduced(int size) {
    try (Ranks ranks = ranks(size)) {
      for (int count : new int[] {0, 1, 4096, 4097, 50_001, 1_100_003}) {
        reduces(ranks, ElementType.FLOAT32, ReduceOp.SUM, count);
      }
      reduces(ranks, ElementType.FLOAT64, ReduceOp.AVG, 10_007);
    }
  }

  private static void reduces(Ranks ranks, ElementType type, ReduceOp op, int count) {
    List<Region> regions = ranks.numbers().mapToObj(rank -> Vectors.of(type, count, rank)).toList();
    ranks.all(member -> member.allReduce(regions.get(member.rank()), type, op));
    for (int i = 0; i < count; i += 1 + count / 1000) {
      double expected = Vectors.expected(op, ranks.size(), i);
      boolean whole = type == ElementType.INT32 || type == ElementType.INT64;
      double precision = type == ElementType.BFLOAT16 ? 0.02 : 0.001;
      assertThat(Vectors.get(regions.getFirst(), type, i))
          .as("%s %s of %d elements at %d", op, type, count, i)
          .isCloseTo(whole ? Math.floor(expected) : expected, within(expected * precision));
    }
    agree(regions);
  }

  private static void agree(List<Region> regions) {
    for (Region region : regions) {
      assertThat(region.segment().mismatch(regions.getFirst().segment())).isEqualTo(-1);
    }
    regions.forEach(Region::close);
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 30_000})
  void sumsThatDependOnTheOrderHaveTheSameBitsOnAllRanks(int count) {
    try (Ranks ranks = ranks(6)) {
      Random random = new Random(5);
      List<Region> regions = ranks.numbers().mapToObj(rank -> Region.allocate(4L * count)).toList();
      for (Region region : regions) {
        for (int i = 0; i < count; i++) {
          region
              .segment()
              .setAtIndex(
                  ValueLayout.JAVA_FLOAT,
                  i,
                  (random.nextFloat() - 0.5f) * (1 << random.nextInt(20)));
        }
      }
      ranks.all(m -> m.allReduce(regions.get(m.rank()), ElementType.FLOAT32, ReduceOp.AVG));
      agree(regions);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 6, 9})
  void theRootsBytesReachAllRanks(int size) {
    try (Ranks ranks = ranks(size)) {
      for (int root = 0; root < size; root++) {
        int from = root;
        int count = root % 2 == 0 ? 5 : 1_500_001;
        List<Region> regions =
            ranks.numbers().mapToObj(r -> Vectors.of(ElementType.INT32, count, r)).toList();
        ranks.all(member -> member.broadcast(from, regions.get(member.rank())));
        assertThat(Vectors.get(regions.getFirst(), ElementType.INT32, 0))
            .isEqualTo(Vectors.value(root, 0));
        agree(regions);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void nobodyPassesABarrierBeforeTheLastHasCome(int size) {
    try (Ranks ranks = ranks(size)) {
      AtomicBoolean lastCame = new AtomicBoolean();
      List<CompletableFuture<Boolean>> early =
          ranks
              .numbers()
              .limit(size - 1)
              .mapToObj(r -> ranks.member(r).barrier().thenReturn(true))
              .map(call -> call.map(passed -> lastCame.get()).toFuture())
              .toList();
      ranks.all(member -> member.rank() == size - 1 ? comes(member, lastCame) : member.barrier());
      assertThat(early).allSatisfy(passed -> assertThat(ranks.await(passed).join()).isTrue());
    }
  }

  private static Mono<Void> comes(Communicator member, AtomicBoolean lastCame) {
    return Mono.fromRunnable(() -> lastCame.set(true))
        .then(member.barrier())
        .then(member.barrier());
  }

  @Test
  void callsThatAreBegunTogetherRunInTheirOrder() {
    try (Ranks ranks = ranks(3)) {
      List<Region> regions =
          ranks.numbers().mapToObj(r -> Vectors.of(ElementType.INT64, 9, r)).toList();
      for (int i = 0; i < 20; i++) {
        ranks.begin(m -> m.allReduce(regions.get(m.rank()), ElementType.INT64, ReduceOp.MAX));
      }
      ranks.all(Communicator::barrier);
      assertThat(Vectors.get(regions.getFirst(), ElementType.INT64, 0))
          .isEqualTo(Vectors.expected(ReduceOp.MAX, 3, 0));
      agree(regions);
    }
  }

  @Test
  void aDeadRankIsNamedAndFailsAllLaterCalls() {
    try (Ranks ranks = ranks(4)) {
      ranks.all(Communicator::barrier);
      List<CompletableFuture<Void>> waiting =
          ranks.numbers().limit(3).mapToObj(r -> ranks.member(r).barrier().toFuture()).toList();
      ranks.crash(3);
      for (CompletableFuture<Void> call : waiting) {
        assertThat(ranks.await(call).exceptionNow())
            .isInstanceOfSatisfying(
                MaestroException.MemberLost.class, lost -> assertThat(lost.rank()).isEqualTo(3));
      }
      assertThat(ranks.await(ranks.member(0).barrier().toFuture()).exceptionNow())
          .isInstanceOf(MaestroException.MemberLost.class);
    }
  }

  @Test
  void aCancelledCallGivesItsRegionBackAndEndsTheCommunicator() {
    try (Ranks ranks = ranks(3)) {
      AtomicBoolean freed = new AtomicBoolean();
      Region memory = Vectors.of(ElementType.FLOAT32, 2_000_000, 0);
      Region region = Region.wrap(memory.segment(), () -> freed.set(true));
      Disposable call =
          ranks.member(0).allReduce(region, ElementType.FLOAT32, ReduceOp.SUM).subscribe();
      call.dispose();
      region.close();
      ranks.untilTrue(freed);
      assertThat(ranks.await(ranks.member(0).barrier().toFuture()).exceptionNow())
          .isInstanceOf(MaestroException.Closed.class);
    }
  }

  @Test
  void aRankThatDoesNotComeIsNamedWhenTheDeadlinePasses() {
    try (Ranks ranks = new Ranks(network(2), 2, Duration.ofMillis(200))) {
      assertThat(ranks.await(ranks.member(0).barrier().toFuture()).exceptionNow())
          .isInstanceOf(MaestroException.DeadlineExceeded.class)
          .hasMessageContaining("waiting for ranks [1]");
    }
  }
}
