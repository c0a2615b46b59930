package io.maestro.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How ranks meet by a list of addresses, and go on without those that are gone. */
abstract class FormingContract {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  abstract RankNetwork network(int ranks);

  private Group group(int ranks) {
    return new Group(network(ranks), ranks, LIMIT);
  }

  private static void sums(Group group, List<Communicator> members) {
    List<Region> regions =
        members.stream().map(m -> Vectors.of(ElementType.INT64, 9000, m.rank())).toList();
    group.all(members, m -> m.allReduce(regions.get(m.rank()), ElementType.INT64, ReduceOp.SUM));
    regions.forEach(region -> Vectors.assertSums(region.segment(), members.size(), 0));
    regions.forEach(Region::close);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 6})
  void ranksMeetInAnyOrder(int size) {
    try (Group group = group(size)) {
      List<Communicator> members = group.form(IntStream.range(0, size).map(i -> size - 1 - i));
      assertThat(members).extracting(Communicator::rank).isEqualTo(group.ranks(size));
      assertThat(members.getFirst().members()).isEqualTo(group.ranks(size));
      sums(group, members);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 4})
  void allSurvivorsNameTheDeadRankAndGoOnWithoutIt(int dead) {
    try (Group group = group(5)) {
      List<Communicator> members = group.form(IntStream.range(0, 5));
      sums(group, members);
      List<Communicator> survivors = members.stream().filter(m -> m.rank() != dead).toList();
      List<Region> regions =
          members.stream().map(m -> Vectors.of(ElementType.INT64, 500_000, m.rank())).toList();
      Map<Communicator, CompletableFuture<Void>> calls =
          group.begin(
              survivors, m -> m.allReduce(regions.get(m.rank()), ElementType.INT64, ReduceOp.SUM));
      group.crash(dead);
      for (CompletableFuture<Void> call : calls.values()) {
        assertThat(group.await(call).exceptionNow())
            .isInstanceOfSatisfying(
                MaestroException.MemberLost.class, e -> assertThat(e.rank()).isEqualTo(dead));
      }
      regions.forEach(Region::close);
      List<Communicator> left = group.reform(survivors);
      assertThat(left).extracting(Communicator::rank).containsExactly(0, 1, 2, 3);
      assertThat(left.getFirst().members()).hasSize(4).doesNotContain(dead);
      sums(group, left);
    }
  }

  @Test
  void ranksAreLostOneAfterTheOtherUntilOneIsLeft() {
    try (Group group = group(4)) {
      List<Communicator> members = group.form(IntStream.range(0, 4));
      for (int dead : new int[] {1, 3, 0}) {
        group.crash(dead);
        List<Communicator> survivors =
            members.stream().filter(m -> m.members().get(m.rank()) != dead).toList();
        group.settle(survivors, Communicator::barrier);
        members = group.reform(survivors);
        sums(group, members);
      }
      assertThat(members).hasSize(1);
      assertThat(members.getFirst().members()).containsExactly(2);
    }
  }

  @Test
  void whoHasNotNoticedYetWhoIsGoneIsToldByTheOthers() {
    try (Group group = new Group(network(4), 4, Duration.ofSeconds(2))) {
      List<Communicator> members = group.form(IntStream.range(0, 4));
      group.crash(3);
      group.crash(1);
      sums(group, group.reform(List.of(members.get(0), members.get(2))));
    }
  }

  @Test
  void aRankThatStaysAwayWhenItIsFormedAnewIsLeftBehindAndToldSo() {
    try (Group group = new Group(network(3), 3, Duration.ofSeconds(2))) {
      List<Communicator> members = group.form(IntStream.range(0, 3));
      group.settle(members, Communicator::barrier);
      List<Communicator> left = group.reform(members.subList(1, 3));
      assertThat(left.getFirst().members()).containsExactly(1, 2);
      sums(group, left);
    }
  }

  @Test
  void aRankThatDoesNotComeToTheFirstMeetingIsNamed() {
    try (Group group = new Group(network(3), 3, Duration.ofSeconds(1))) {
      group
          .begin(IntStream.of(0, 2))
          .forEach(
              forming ->
                  assertThat(group.await(forming).exceptionNow())
                      .isInstanceOf(MaestroException.DeadlineExceeded.class)
                      .hasMessageContaining("ranks {1}"));
    }
  }

  @Test
  void aRankThatLeavesIsNamedToTheOthers() {
    try (Group group = group(3)) {
      List<Communicator> members = group.form(IntStream.range(0, 3));
      Map<Communicator, CompletableFuture<Void>> calls =
          group.begin(members.subList(1, 3), Communicator::barrier);
      members.getFirst().close();
      for (CompletableFuture<Void> call : calls.values()) {
        assertThat(group.await(call).exceptionNow())
            .isInstanceOfSatisfying(
                MaestroException.MemberLost.class, e -> assertThat(e.rank()).isZero());
      }
    }
  }

  @Test
  void aRankMayLeaveWhenItsCallHasCompletedThoughOthersAreNotThereYet() {
    try (Group group = group(5)) {
      for (int i = 0; i < 20; i++) {
        List<Communicator> members = group.form(IntStream.range(0, 5));
        group.all(members, m -> m.barrier().doOnSuccess(done -> m.close()));
      }
    }
  }

  @Test
  void aRankMayEndWhenItHasLeftThoughOthersAreNotThereYet() {
    for (int i = 0; i < 5; i++) {
      try (Group group = group(5)) {
        List<Communicator> members = group.form(IntStream.range(0, 5));
        group.all(
            members, m -> m.barrier().then(m.leave()).doOnSuccess(d -> group.crash(m.rank())));
      }
    }
  }

  @Test
  void leavingIsNotHeldUpByRanksThatAreGoneOrDoNotCome() {
    try (Group group = group(3)) {
      List<Communicator> members = group.form(IntStream.range(0, 3));
      Communicator first = members.getFirst();
      CompletableFuture<Void> call = first.barrier().toFuture();
      group.crash(2);
      group.await(first.leave().then(first.leave()).toFuture()).join();
      assertThat(group.await(call)).isCompletedExceptionally();
    }
  }

  @Test
  void whatFailsOnOneRankIsSaidOnTheOthers() {
    try (Group group = group(3)) {
      List<Communicator> members = group.form(IntStream.range(0, 3));
      CompletableFuture<Void> waiting = members.get(2).barrier().toFuture();
      members.getFirst().barrier().subscribe().dispose();
      assertThat(group.await(waiting).exceptionNow())
          .isInstanceOf(MaestroException.Rejected.class)
          .hasMessageContaining("a call of rank 0 was cancelled");
    }
  }
}
