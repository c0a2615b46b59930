package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.MaestroException.Closed;
import io.maestro.api.MaestroException.DeadlineExceeded;
import io.maestro.api.MaestroException.Rejected;
import io.maestro.api.Region;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

class DeadlineTest {

  private static final List<TensorSpec> TENSORS = SynchronousTest.tensors(60, 0, 500);

  @Test
  void aCallThatWaitsTooLongNamesWhoIsMissingAndCanBeTriedAgain() {
    try (Cluster cluster = new Cluster(1, 2, b -> b.workers(2), ShardUpdate.average());
        Worker one = cluster.worker(0, TENSORS);
        Worker two = cluster.worker(1, TENSORS)) {
      cluster.get(Mono.when(one.join(), two.join()));
      assertThat(cluster.error(one.step(1)))
          .isInstanceOf(DeadlineExceeded.class)
          .hasMessageContaining("worker 1 (host-1)")
          .hasMessageContaining("server ");
      CompletableFuture<Long> again = cluster.begin(one.step(1));
      cluster.get(two.step(1));
      cluster.await(again);
      assertThat(again.join()).isEqualTo(1);
      assertThat(one.read()).usingRecursiveComparison().isEqualTo(two.read());
      assertThat(cluster.server(0).statistics().updates()).isPositive();
    }
  }

  @Test
  void waitingForWorkersThatNeverJoinEndsAtTheDeadline() {
    try (Cluster cluster = new Cluster(2, 1, b -> b.workers(3), ShardUpdate.average());
        Worker one = cluster.worker(0, TENSORS)) {
      cluster.get(one.join());
      assertThat(cluster.error(one.step(1)))
          .isInstanceOf(DeadlineExceeded.class)
          .hasMessageContaining("2 workers that have not joined");
    }
  }

  @Test
  void parametersThatNobodyInitialisedAreWaitedForUntilTheDeadline() {
    try (Cluster cluster = new Cluster(3, 1, b -> b.workers(1), ShardUpdate.sgd(1, 0));
        Worker one = cluster.worker(0, TENSORS)) {
      cluster.get(one.join());
      assertThat(cluster.error(one.step(1)))
          .isInstanceOf(DeadlineExceeded.class)
          .hasMessageContaining("call init");
    }
  }

  @Test
  void aServerThatDoesNotAnswerIsNamedAtTheDeadline() {
    try (Cluster cluster = new Cluster(4, 1, b -> b.workers(1), ShardUpdate.average())) {
      List<MemoryConnection> deaf = MemoryConnection.pair(cluster.network(), "me", "deaf");
      Mono<ParameterClient> join =
          ParameterClient.join(List.of(deaf.getFirst()), 0, TENSORS, cluster.config());
      assertThat(cluster.error(join))
          .isInstanceOf(DeadlineExceeded.class)
          .hasMessageContaining("server 0 (deaf)");
    }
  }

  @Test
  void closingTheServerEndsWaitingCalls() {
    try (Cluster cluster = new Cluster(5, 2, b -> b.workers(2), ShardUpdate.average());
        Worker one = cluster.worker(0, TENSORS)) {
      cluster.get(one.join());
      CompletableFuture<Long> waiting = cluster.begin(one.step(1));
      cluster.pass(Duration.ofMillis(50));
      cluster.get(cluster.server(1).close());
      cluster.await(waiting);
      assertThat(waiting.exceptionNow())
          .isInstanceOf(Rejected.class)
          .hasMessageContaining("closed");
    }
  }

  @Test
  void leavingEndsCallsUnderWay() {
    try (Cluster cluster = new Cluster(6, 2, b -> b.workers(2), ShardUpdate.average());
        Worker one = cluster.worker(0, TENSORS)) {
      cluster.get(one.join());
      CompletableFuture<Long> waiting = cluster.begin(one.step(1));
      cluster.pass(Duration.ofMillis(50));
      cluster.get(one.client().leave());
      cluster.await(waiting);
      assertThat(waiting).isCompletedExceptionally();
      assertThat(cluster.error(one.step(2))).isInstanceOf(Closed.class);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void cancelsAtRandomMomentsLeakNothingAndTrainingGoesOn(long seed) {
    Random random = new Random(seed);
    AtomicInteger regions = new AtomicInteger();
    try (Cluster cluster = new Cluster(seed, 3, b -> b.workers(2), ShardUpdate.average());
        Worker one = cluster.worker(0, TENSORS);
        Worker two = cluster.worker(1, TENSORS)) {
      cluster.get(Mono.when(one.join(), two.join()));
      for (int step = 1; step <= 40; step++) {
        List<Region> from = counted(TENSORS, regions);
        List<Region> into = counted(TENSORS, regions);
        Disposable call = one.client().exchange(step, from, into).subscribe();
        CompletableFuture<Long> other = cluster.begin(two.step(step));
        cluster.pass(Duration.ofNanos(random.nextInt(3_000_000)));
        call.dispose();
        cluster.get(one.client().exchange(step, from, into));
        cluster.await(other);
        from.forEach(Region::release);
        into.forEach(Region::release);
      }
      cluster.pass(Duration.ofSeconds(1));
      assertThat(regions).as("regions that somebody still holds, seed %d", seed).hasValue(0);
    }
  }

  /** A region for each tensor; the count is of those that somebody still holds. */
  static List<Region> counted(List<TensorSpec> tensors, AtomicInteger count) {
    return tensors.stream().map(tensor -> counted(tensor, count)).toList();
  }

  private static Region counted(TensorSpec tensor, AtomicInteger count) {
    count.incrementAndGet();
    Region memory = Region.allocate(tensor.bytes());
    return Region.wrap(
        memory.segment(),
        () -> {
          memory.release();
          count.decrementAndGet();
        });
  }
}
