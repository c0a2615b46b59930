package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.MaestroException;
import io.maestro.api.MaestroException.MemberLost;
import io.maestro.ps.PsConfig.Membership;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class MembershipTest {

  private static final List<TensorSpec> TENSORS = SynchronousTest.tensors(50, 1, 0, 999);

  private static Cluster cluster(
      long seed, Membership membership, UnaryOperator<PsConfig.Builder> steps) {
    return new Cluster(
        seed, 3, b -> steps.apply(b.membership(membership)), ShardUpdate.sgd(0.1f, 0.9f));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aStrictJobFailsForEveryoneAndNamesTheLostWorker(long seed) {
    try (Cluster cluster = cluster(seed, Membership.STRICT, b -> b.workers(3));
        Worker one = cluster.worker(0, TENSORS);
        Worker two = cluster.worker(1, TENSORS);
        Worker three = cluster.worker(2, TENSORS)) {
      cluster.get(Mono.when(one.joinAndInit(), two.joinAndInit(), three.joinAndInit()));
      cluster.get(Mono.when(one.train(2), two.train(2), three.train(2)));
      CompletableFuture<Long> first = cluster.begin(one.step(3));
      CompletableFuture<Long> second = cluster.begin(two.step(3));
      cluster.pass(Duration.ofMillis(seed));
      three.kill();
      for (CompletableFuture<Long> call : List.of(first, second)) {
        cluster.await(call);
        assertLost(call.exceptionNow());
      }
      assertLost(cluster.error(one.step(3)));
      assertLost(cluster.error(cluster.server(1).finished()));
      cluster.get(one.client().leave());
    }
  }

  private static void assertLost(Throwable error) {
    assertThat(error).isInstanceOf(MemberLost.class).hasMessageContaining("worker 2 (host-2)");
    MemberLost lost = (MemberLost) error;
    assertThat(lost.rank()).isEqualTo(2);
    assertThat(lost.address()).isEqualTo("host-2");
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anElasticJobGoesOnWithoutALostWorker(long seed) {
    try (Cluster cluster = cluster(seed, Membership.ELASTIC, b -> b.workers(3));
        Worker one = cluster.worker(0, TENSORS);
        Worker two = cluster.worker(1, TENSORS);
        Worker three = cluster.worker(2, TENSORS)) {
      cluster.get(Mono.when(one.joinAndInit(), two.joinAndInit(), three.joinAndInit()));
      CompletableFuture<Void> first = cluster.begin(one.train(60));
      CompletableFuture<Void> second = cluster.begin(two.train(60));
      CompletableFuture<Void> third = cluster.begin(three.train(60));
      cluster.pass(Duration.ofMillis(10).plusNanos(seed * 317_000));
      three.kill();
      cluster.await(first);
      cluster.await(second);
      first.join();
      second.join();
      assertThat(third.exceptionNow()).isInstanceOf(MaestroException.ConnectionLost.class);
      assertThat(one.read()).usingRecursiveComparison().isEqualTo(two.read());
      assertThat(cluster.server(0).statistics().members()).isEqualTo(2);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aWorkerJoinsARunningJobAndOthersLeaveIt(long seed) {
    try (Cluster cluster = cluster(seed, Membership.ELASTIC, b -> b.workers(1));
        Worker one = cluster.worker(0, TENSORS);
        Worker two = cluster.worker(1, TENSORS)) {
      one.fill(0.25f);
      cluster.get(one.joinAndInit());
      CompletableFuture<Void> first =
          cluster.begin(one.train(80).then(Mono.defer(() -> one.client().leave())));
      cluster.pass(Duration.ofMillis(20).plusNanos(seed * 271_000));
      cluster.get(two.joinAndInit());
      long entry = two.client().firstStep();
      assertThat(entry).isBetween(2L, 80L);
      float[] alone = new float[999];
      Arrays.fill(alone, 0.25f);
      assertThat(two.read().get(3))
          .as("the values before the step at which it entered")
          .isEqualTo(Gradients.train(alone, 1, (int) entry - 1, 0.1f, 0.9f));
      cluster.get(two.train(120));
      assertThat(first).isCompleted();
      cluster.get(two.client().leave());
      assertThat(cluster.server(2).statistics().members()).isZero();
    }
  }

  @Test
  void aWorkerComesBackWithItsRankAfterAllWereLost() {
    try (Cluster cluster = cluster(9, Membership.ELASTIC, b -> b.workers(2));
        Worker one = cluster.worker(0, TENSORS);
        Worker two = cluster.worker(1, TENSORS)) {
      cluster.get(Mono.when(one.joinAndInit(), two.joinAndInit()));
      CompletableFuture<Void> first = cluster.begin(one.train(50));
      CompletableFuture<Void> second = cluster.begin(two.train(50));
      cluster.pass(Duration.ofMillis(15));
      one.kill();
      two.kill();
      cluster.pass(Duration.ofMillis(5));
      assertThat(first).isCompletedExceptionally();
      assertThat(second).isCompletedExceptionally();
      try (Worker again = cluster.worker(0, TENSORS)) {
        cluster.get(again.joinAndInit());
        assertThat(again.client().firstStep()).isGreaterThan(1);
        cluster.get(again.train(60));
      }
    }
  }

  @Test
  void theNextWorkerGivesTheInitialValuesWhenTheFirstIsLostBeforeItHas() {
    try (Cluster cluster = cluster(10, Membership.ELASTIC, b -> b.workers(2));
        Worker one = cluster.worker(0, TENSORS);
        Worker two = cluster.worker(1, TENSORS)) {
      two.fill(2);
      cluster.get(Mono.when(one.join(), two.join()));
      CompletableFuture<Void> lost = cluster.begin(one.client().init(one.values));
      cluster.pass(Duration.ofNanos(800_000));
      assertThat(lost).isNotDone();
      CompletableFuture<Void> next = cluster.begin(two.client().init(two.values));
      cluster.pass(Duration.ofNanos(100_000));
      one.kill();
      cluster.await(next);
      next.join();
      assertThat(two.read().getFirst()).containsOnly(2);
      try (Worker three = cluster.worker(2, TENSORS)) {
        cluster.get(three.joinAndInit());
        assertThat(three.read().getLast()).containsOnly(2);
      }
    }
  }

  @Test
  void aWorkerThatHasLostOneServerLeavesTheOthersInOrder() {
    try (Cluster cluster = cluster(12, Membership.ELASTIC, b -> b.workers(2));
        Worker one = cluster.worker(0, TENSORS);
        Worker two = cluster.worker(1, TENSORS)) {
      cluster.get(Mono.when(one.joinAndInit(), two.joinAndInit()));
      CompletableFuture<Void> other = cluster.begin(two.train(5));
      ((MemoryConnection) one.connections.getFirst()).kill();
      cluster.pass(Duration.ofMillis(5));
      assertThat(cluster.error(one.step(1))).isInstanceOf(MaestroException.ConnectionLost.class);
      assertThat(other).as("two servers still wait for worker 0").isNotDone();
      cluster.get(one.client().leave());
      cluster.await(other);
      other.join();
      assertThat(cluster.server(2).statistics().members()).isEqualTo(1);
    }
  }

  @Test
  void aStrictJobTakesNoMoreWorkersOnceItHasStarted() {
    try (Cluster cluster = cluster(11, Membership.STRICT, b -> b.workers(1));
        Worker one = cluster.worker(0, TENSORS);
        Worker two = cluster.worker(1, TENSORS)) {
      cluster.get(one.joinAndInit());
      assertThat(cluster.error(two.join()))
          .isInstanceOf(MaestroException.Rejected.class)
          .hasMessageContaining("elastic");
      cluster.get(one.train(3));
    }
  }
}
