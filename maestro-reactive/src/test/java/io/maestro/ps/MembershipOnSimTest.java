package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.MaestroException.ConnectionLost;
import io.maestro.api.MaestroException.DeadlineExceeded;
import io.maestro.ps.PsConfig.Membership;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MembershipOnSimTest extends MembershipContract {
  @Override
  Site newSite(long seed) {
    return new SimSite(seed);
  }

  @Test
  void aWorkerThatFallsSilentEndsAStrictJobByName() {
    SimSite site = new SimSite(2);
    try (LiveJob job = job(site, Membership.STRICT, b -> b.workers(3))) {
      List<Worker> all = job.workers(3, TENSORS);
      job.all(all, worker -> worker.joinAndInit().then(worker.train(2)));
      long startNs = site.clock().nanoTime();
      site.silence(LiveJob.FIRST_WORKER + 1);
      List<CompletableFuture<Long>> calls =
          List.of(job.begin(all.get(0).step(3)), job.begin(all.get(2).step(3)));
      calls.forEach(call -> assertLost(job.await(call).exceptionNow(), 1));
      assertSoon(site, startNs);
    }
  }

  @Test
  void anElasticJobGoesOnWithoutAWorkerThatFallsSilent() {
    SimSite site = new SimSite(3);
    try (LiveJob job = job(site, Membership.ELASTIC, b -> b.workers(3))) {
      List<Worker> all = job.workers(3, TENSORS);
      job.all(all, worker -> worker.joinAndInit().then(worker.train(2)));
      long startNs = site.clock().nanoTime();
      site.silence(LiveJob.FIRST_WORKER + 1);
      List<Worker> others = List.of(all.get(0), all.get(2));
      job.all(others, worker -> worker.trainFrom(3, 5));
      assertSoon(site, startNs);
      Reference reference = reference().trainTo(2, 0, 1, 2).trainTo(5, 0, 2);
      others.forEach(worker -> worker.assertHas(reference.values()));
    }
  }

  @Test
  void aServerThatFallsSilentIsLostForEveryWorkerWhenItsConnectionIsGivenUp() {
    Duration deadline = Duration.ofSeconds(30);
    for (CompletableFuture<Long> call : callsToASilentServer(deadline)) {
      assertServerLost(call.exceptionNow());
    }
  }

  @Test
  void aServerThatFallsSilentIsNamedToEveryWorkerAtTheDeadlineWhenThatIsShorter() {
    for (CompletableFuture<Long> call : callsToASilentServer(Duration.ofSeconds(3))) {
      assertThat(call.exceptionNow())
          .isInstanceOfAny(DeadlineExceeded.class, ConnectionLost.class)
          .hasMessageContaining("server 1 (");
    }
  }

  private static List<CompletableFuture<Long>> callsToASilentServer(Duration deadline) {
    SimSite site = new SimSite(4);
    try (LiveJob job = job(site, Membership.STRICT, b -> b.workers(2).deadline(deadline))) {
      List<Worker> all = job.workers(2, TENSORS);
      job.all(all, worker -> worker.joinAndInit().then(worker.train(2)));
      site.silence(1);
      long startNs = site.clock().nanoTime();
      List<CompletableFuture<Long>> calls =
          all.stream().map(worker -> job.begin(worker.step(3))).toList();
      calls.forEach(call -> assertThat(job.await(call)).isCompletedExceptionally());
      Duration took = Duration.ofNanos(site.clock().nanoTime() - startNs);
      assertThat(took).isLessThan(deadline.plusMillis(1100));
      return calls;
    }
  }
}
