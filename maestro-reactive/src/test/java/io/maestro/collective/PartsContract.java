package io.maestro.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collectives of which each rank gets a part, on any network. */
abstract class PartsContract {

  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final int[] COUNTS = {0, 1, 7, 4099, 1_100_003};

  abstract RankNetwork network(int ranks);

  private Ranks ranks(int size) {
    return new Ranks(network(size), size, DEADLINE);
  }

  private static List<Region> vectors(Ranks ranks, ElementType type, int count) {
    return ranks.numbers().mapToObj(rank -> Vectors.of(type, count, rank)).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void eachRankGetsItsBlockOfTheReducedRegion(int size) {
    try (Ranks ranks = ranks(size)) {
      for (int count : COUNTS) {
        List<Region> regions = vectors(ranks, ElementType.INT64, count);
        ranks.all(m -> m.reduceScatter(regions.get(m.rank()), ElementType.INT64, ReduceOp.SUM));
        long index = 0;
        for (int rank = 0; rank < size; rank++) {
          Communicator member = ranks.member(rank);
          MemorySegment block = member.block(rank, regions.get(rank), ElementType.INT64);
          index = Vectors.assertSums(block, size, index);
        }
        assertThat(index).isEqualTo(count);
        regions.forEach(Region::close);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void blocksOfAllRanksAreGatheredOnEach(int size) {
    try (Ranks ranks = ranks(size)) {
      for (int count : COUNTS) {
        List<Region> regions = vectors(ranks, ElementType.FLOAT64, count);
        Region expected = Region.allocate(8L * count);
        for (int rank = 0; rank < size; rank++) {
          MemorySegment from =
              ranks.member(rank).block(rank, regions.get(rank), ElementType.FLOAT64);
          ranks.member(rank).block(rank, expected, ElementType.FLOAT64).copyFrom(from);
        }
        ranks.all(m -> m.allGather(regions.get(m.rank()), ElementType.FLOAT64));
        assertThat(regions)
            .allSatisfy(r -> assertThat(r.segment().mismatch(expected.segment())).isEqualTo(-1));
        regions.forEach(Region::close);
        expected.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 6})
  void theRootGetsTheReducedRegion(int size) {
    try (Ranks ranks = ranks(size)) {
      for (int root = 0; root < size; root++) {
        int to = root;
        for (int count : COUNTS) {
          List<Region> regions = vectors(ranks, ElementType.INT64, count);
          ranks.all(m -> m.reduce(to, regions.get(m.rank()), ElementType.INT64, ReduceOp.SUM));
          Vectors.assertSums(regions.get(root).segment(), size, 0);
          regions.forEach(Region::close);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void ranksChangeBlocksWithOneAnother(int size) {
    try (Ranks ranks = ranks(size)) {
      for (int blockBytes : new int[] {0, 1, 4097, 900_001}) {
        List<Region> regions = ranks.numbers().mapToObj(r -> blocks(r, size, blockBytes)).toList();
        ranks.all(m -> m.allToAll(regions.get(m.rank())));
        for (int rank = 0; rank < size && blockBytes > 0; rank++) {
          for (int from = 0; from < size; from++) {
            MemorySegment block =
                regions.get(rank).segment().asSlice((long) from * blockBytes, blockBytes);
            assertThat(block.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) (from * 16 + rank));
            assertThat(block.get(ValueLayout.JAVA_BYTE, blockBytes - 1))
                .isEqualTo((byte) (from * 16 + rank));
          }
        }
        regions.forEach(Region::close);
      }
    }
  }

  /** Each block says from whom to whom it goes. */
  private static Region blocks(int rank, int size, int blockBytes) {
    Region region = Region.allocate((long) size * blockBytes);
    for (int to = 0; to < size; to++) {
      region.segment().asSlice((long) to * blockBytes, blockBytes).fill((byte) (rank * 16 + to));
    }
    return region;
  }

  @Test
  void regionsGoFromOneRankToAnotherBesideTheCallsOfAll() {
    try (Ranks ranks = ranks(3)) {
      for (int count : COUNTS) {
        List<Region> sent = vectors(ranks, ElementType.INT32, count);
        List<Region> got = ranks.numbers().mapToObj(r -> Region.allocate(4L * count)).toList();
        List<CompletableFuture<Void>> moves =
            ranks
                .numbers()
                .boxed()
                .flatMap(
                    r ->
                        List.of(
                            ranks.member(r).send((r + 1) % 3, sent.get(r)).toFuture(),
                            ranks.member((r + 1) % 3).receive(r, got.get(r)).toFuture())
                            .stream())
                .toList();
        ranks.all(Communicator::barrier);
        moves.forEach(move -> ranks.await(move).join());
        for (int r = 0; r < 3; r++) {
          assertThat(got.get(r).segment().mismatch(sent.get(r).segment())).isEqualTo(-1);
        }
        sent.forEach(Region::close);
        got.forEach(Region::close);
      }
    }
  }

  @Test
  void manySendsWaitForTheirReceivesInOrderWithoutHoldingUpTheCallsOfAll() {
    try (Ranks ranks = ranks(2)) {
      int many = 300;
      List<Region> sent =
          ranks.numbers(many).mapToObj(i -> Vectors.of(ElementType.INT32, 1, i)).toList();
      List<CompletableFuture<Void>> sends =
          sent.stream().map(region -> ranks.member(0).send(1, region).toFuture()).toList();
      for (int i = 0; i < 10; i++) {
        ranks.all(Communicator::barrier);
      }
      assertThat(sends).noneMatch(CompletableFuture::isDone);
      for (Region region : sent) {
        Region got = Region.allocate(4);
        ranks.await(ranks.member(1).receive(0, got).toFuture()).join();
        assertThat(got.segment().mismatch(region.segment())).isEqualTo(-1);
        got.close();
      }
      sends.forEach(send -> ranks.await(send).join());
      sent.forEach(Region::close);
    }
  }

  @Test
  void anotherCallOnAnotherRankIsToldAtOnceAndNotByTheDeadline() {
    try (Ranks ranks = new Ranks(network(2), 2, Ranks.LONG.multipliedBy(2))) {
      CompletableFuture<Void> barrier = ranks.member(0).barrier().toFuture();
      Region region = Vectors.of(ElementType.INT32, 5, 0);
      ranks.member(1).broadcast(1, region).subscribe(done -> {}, failure -> {});
      assertThat(ranks.await(barrier).exceptionNow())
          .isInstanceOf(MaestroException.Permanent.class)
          .hasMessageContaining("is another one than here"); // whichever of them sees it first
      region.close();
    }
  }

  @Test
  void aReceiveOfAnotherSizeIsRefused() {
    try (Ranks ranks = new Ranks(network(2), 2, Ranks.LONG.multipliedBy(2))) {
      Region small = Region.allocate(5 << 20);
      Region large = Region.allocate(9 << 20);
      CompletableFuture<Void> receive = ranks.member(0).receive(1, small).toFuture();
      ranks.member(1).send(0, large).subscribe(done -> {}, failure -> {});
      assertThat(ranks.await(receive).exceptionNow()).isInstanceOf(MaestroException.Refused.class);
      small.close();
      large.close();
    }
  }

  @Test
  void argumentsThatCannotWorkAreToldAtTheCall() {
    try (Ranks ranks = ranks(2);
        Region odd = Region.allocate(7)) {
      Communicator member = ranks.member(0);
      assertThatThrownBy(() -> member.allToAll(odd)).hasMessageContaining("2 ranks");
      assertThatThrownBy(() -> member.allGather(odd, ElementType.INT32))
          .hasMessageContaining("no whole number of INT32");
      assertThatThrownBy(() -> member.send(0, odd)).hasMessageContaining("is this rank");
      assertThatThrownBy(() -> member.receive(2, odd))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> member.reduce(-1, odd, ElementType.FLOAT16, ReduceOp.SUM))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
