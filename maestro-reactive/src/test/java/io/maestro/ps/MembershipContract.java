package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.MaestroException.ConnectionLost;
import io.maestro.api.MaestroException.MemberLost;
import io.maestro.ps.PsConfig.Membership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Workers and servers that come, leave and die, over Maestro connections on any provider. */
abstract class MembershipContract {

  static final float RATE = 0.1f;
  static final float MOMENTUM = 0.9f;
  static final List<TensorSpec> TENSORS = SynchronousTest.tensors(50, 1, 0, 39_999);

  /** How long a connection without paths waits for one to come back, and a little. */
  private static final Duration LOSS_LIMIT = Duration.ofSeconds(11);

  private Site site;

  /** A site with this seed, where there is chance. */
  abstract Site newSite(long seed);

  @BeforeEach
  void open() {
    site = newSite(1);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private LiveJob job(Membership membership, UnaryOperator<PsConfig.Builder> steps) {
    return job(site, membership, steps);
  }

  static LiveJob job(Site site, Membership membership, UnaryOperator<PsConfig.Builder> steps) {
    return new LiveJob(
        site, 3, b -> steps.apply(b.membership(membership)), ShardUpdate.sgd(RATE, MOMENTUM));
  }

  static Reference reference() {
    return new Reference(TENSORS, 0, RATE, MOMENTUM);
  }

  @Test
  void aWorkerJoinsARunningJobAndGoesOnWhenTheFirstHasLeft() {
    try (LiveJob job = job(Membership.ELASTIC, b -> b.workers(1))) {
      Worker one = job.worker(0, TENSORS);
      Worker two = job.worker(1, TENSORS);
      job.get(one.joinAndInit());
      CompletableFuture<Void> first =
          job.begin(one.train(60).then(Mono.defer(() -> one.client().leave())));
      job.until(() -> job.server(0).statistics().updates() > 3);
      two.fill(7);
      job.get(two.joinAndInit());
      int entry = (int) two.client().firstStep();
      assertThat(entry).isBetween(2, 60);
      Reference reference = reference().trainTo(entry - 1, 0);
      two.assertHas(reference.values());
      job.get(two.train(70));
      job.await(first).join();
      reference.trainTo(60, 0, 1);
      one.assertHas(reference.values());
      two.assertHas(reference.trainTo(70, 1).values());
      job.get(two.client().leave());
      assertThat(job.server(2).statistics().members()).isZero();
    }
  }

  @Test
  void aWorkerThatLeavesInOrderIsNotMissedInAStrictJob() {
    try (LiveJob job = job(Membership.STRICT, b -> b.workers(3))) {
      List<Worker> all = job.workers(3, TENSORS);
      job.all(all, worker -> worker.joinAndInit().then(worker.train(3)));
      job.get(all.get(1).client().leave());
      List<Worker> others = List.of(all.get(0), all.get(2));
      job.all(others, worker -> worker.trainFrom(4, 6));
      Reference reference = reference().trainTo(3, 0, 1, 2);
      all.get(1).assertHas(reference.values());
      reference.trainTo(6, 0, 2);
      others.forEach(worker -> worker.assertHas(reference.values()));
      job.all(others, worker -> worker.client().leave());
      job.get(job.server(1).finished());
    }
  }

  @Test
  void aWorkerThatHasLeftCanJoinAgainOnTheSameConnections() {
    try (LiveJob job = job(Membership.ELASTIC, b -> b.workers(2))) {
      List<Worker> all = job.workers(2, TENSORS);
      job.all(all, worker -> worker.joinAndInit().then(worker.train(2)));
      Worker one = all.getFirst();
      job.get(one.client().leave());
      job.get(all.get(1).trainFrom(3, 4));
      job.get(one.joinAndInit());
      assertThat(one.client().firstStep()).isEqualTo(5);
      job.all(all, worker -> worker.trainFrom(5, 6));
      Reference reference = reference().trainTo(2, 0, 1).trainTo(4, 1).trainTo(6, 0, 1);
      all.forEach(worker -> worker.assertHas(reference.values()));
    }
  }

  @Test
  void aCrashedWorkerEndsAStrictJobForEveryoneByName() {
    try (LiveJob job = job(Membership.STRICT, b -> b.workers(4))) {
      List<Worker> all = job.workers(4, TENSORS);
      job.all(all, worker -> worker.joinAndInit().then(worker.train(2)));
      List<Worker> others = List.of(all.get(0), all.get(1), all.get(3));
      List<CompletableFuture<Long>> calls = others.stream().map(w -> job.begin(w.step(3))).toList();
      long startNs = site.clock().nanoTime();
      job.crash(all.get(2));
      calls.forEach(call -> assertLost(job.await(call).exceptionNow(), 2));
      assertSoon(site, startNs);
      others.forEach(worker -> assertLost(job.error(worker.step(3)), 2));
      assertLost(job.error(job.server(1).finished()), 2);
      job.all(others, worker -> worker.client().leave());
    }
  }

  /** As soon as it is sure that the other side does not come back, see {@code Timeouts}. */
  static void assertSoon(Site site, long startNs) {
    Duration took = Duration.ofNanos(site.clock().nanoTime() - startNs);
    assertThat(took).isLessThan(LOSS_LIMIT);
  }

  static void assertLost(Throwable error, int rank) {
    assertThat(error).isInstanceOf(MemberLost.class).hasMessageContaining("worker " + rank + " (");
    assertThat(((MemberLost) error).rank()).isEqualTo(rank);
  }

  @Test
  void anElasticJobGoesOnWithoutACrashedWorkerAndTakesItBackWithItsRank() {
    try (LiveJob job = job(Membership.ELASTIC, b -> b.workers(3))) {
      List<Worker> all = job.workers(3, TENSORS);
      job.all(all, worker -> worker.joinAndInit().then(worker.train(4)));
      List<Worker> others = all.subList(0, 2);
      List<CompletableFuture<Void>> calls =
          others.stream().map(worker -> job.begin(worker.trainFrom(5, 7))).toList();
      long startNs = site.clock().nanoTime();
      job.crash(all.get(2));
      calls.forEach(call -> job.await(call).join());
      assertSoon(site, startNs);
      Reference reference = reference().trainTo(4, 0, 1, 2).trainTo(7, 0, 1);
      others.forEach(worker -> worker.assertHas(reference.values()));
      assertThat(job.error(all.get(2).step(5))).isInstanceOf(ConnectionLost.class);

      Worker again = job.worker(2, TENSORS);
      job.get(again.joinAndInit());
      assertThat(again.client().firstStep()).isEqualTo(8);
      job.all(List.of(others.get(0), others.get(1), again), worker -> worker.trainFrom(8, 9));
      again.assertHas(reference.trainTo(9, 0, 1, 2).values());
    }
  }

  @RepeatedTest(4)
  void everyShardCountsACrashedWorkersLastStepWholeOrNotAtAll(RepetitionInfo repetition) {
    site.close();
    site = newSite(repetition.getCurrentRepetition());
    try (LiveJob job = job(Membership.ELASTIC, b -> b.workers(3))) {
      List<Worker> all = job.workers(3, TENSORS);
      job.all(all, Worker::joinAndInit);
      List<CompletableFuture<Void>> calls =
          all.stream().map(worker -> job.begin(worker.train(12))).toList();
      long updates = 3L * repetition.getCurrentRepetition();
      job.until(() -> job.server(0).statistics().updates() >= updates);
      job.crash(all.get(1));
      job.await(calls.get(0)).join();
      job.await(calls.get(2)).join();
      all.get(0).assertHas(all.get(2).read());
      ShardPlan plan = ShardPlan.of(TENSORS, 3);
      List<List<float[]>> possible = new ArrayList<>();
      for (int last = 0; last <= 12; last++) {
        possible.add(reference().trainTo(last, 0, 1, 2).trainTo(12, 0, 2).values());
      }
      for (Shard shard : plan.shards()) {
        float[] got = part(shard, all.getFirst().read());
        assertThat(possible).map(values -> part(shard, values)).contains(got);
      }
    }
  }

  private static float[] part(Shard shard, List<float[]> values) {
    int from = (int) shard.offset();
    int to = (int) (shard.offset() + shard.elements());
    return Arrays.copyOfRange(values.get(shard.tensor()), from, to);
  }

  @Test
  void aServerThatDiesEndsEveryWorkersCallByNameLongBeforeTheDeadline() {
    try (LiveJob job = job(Membership.STRICT, b -> b.workers(3))) {
      List<Worker> all = job.workers(3, TENSORS);
      job.all(all, worker -> worker.joinAndInit().then(worker.train(2)));
      List<Worker> waiting = all.subList(0, 2);
      List<CompletableFuture<Long>> calls =
          waiting.stream().map(worker -> job.begin(worker.step(3))).toList();
      long startNs = site.clock().nanoTime();
      job.crashServer(1);
      calls.forEach(call -> assertServerLost(job.await(call).exceptionNow()));
      all.forEach(worker -> assertServerLost(job.error(worker.step(3))));
      assertSoon(site, startNs);
      job.all(all, worker -> worker.client().leave());
      job.until(() -> job.server(0).statistics().members() == 0);
      job.until(() -> job.server(2).statistics().members() == 0);
    }
  }

  static void assertServerLost(Throwable error) {
    assertThat(error).isInstanceOf(ConnectionLost.class).hasMessageContaining("server 1 (");
    assertThat(error.getCause()).isNotNull();
  }
}
