package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.maestro.api.MaestroException.DeadlineExceeded;
import io.maestro.api.Region;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Training over Maestro connections, on any provider. */
abstract class TrainingContract {

  private static final float START = 0.5f;
  private static final float RATE = 0.1f;
  private static final float MOMENTUM = 0.9f;

  private Site site;

  abstract Site newSite();

  @BeforeEach
  void open() {
    site = newSite();
  }

  @AfterEach
  void close() {
    site.close();
  }

  @ParameterizedTest(name = "{0} servers, {1} workers")
  @CsvSource({"1,2", "3,4"})
  void trainingEqualsTheSequentialReferenceBitByBitAndServersShareBySize(int servers, int workers) {
    int steps = 4;
    List<TensorSpec> tensors = SynchronousTest.tensors(0, 1, 7, 4096, 33_333, 1_200_000, 0);
    try (LiveJob job =
        new LiveJob(site, servers, b -> b.workers(workers), ShardUpdate.sgd(RATE, MOMENTUM))) {
      List<Worker> all = job.workers(workers, tensors);
      all.forEach(worker -> worker.fill(START));
      job.all(all, w -> w.joinAndInit().then(w.train(steps)));
      job.all(all, w -> w.client().leave());
      Reference reference =
          new Reference(tensors, START, RATE, MOMENTUM)
              .trainTo(steps, IntStream.range(0, workers).toArray());
      for (Worker worker : all) {
        worker.assertHas(reference.values());
      }
      long bytes = tensors.stream().mapToLong(TensorSpec::bytes).sum() * workers * steps;
      for (int i = 0; i < servers; i++) {
        job.get(job.server(i).finished());
        assertThat(job.server(i).statistics().bytesPushed())
            .isCloseTo(bytes / servers, within(4L * workers * steps));
      }
    }
  }

  @Test
  void aStepIsOverWhenEveryWorkerHasPushedAndNotBefore() {
    try (LiveJob job = new LiveJob(site, 2, b -> b.workers(3), ShardUpdate.average())) {
      List<Worker> all = job.workers(3, SynchronousTest.tensors(100_000, 3));
      job.all(all, Worker::join);
      for (int step = 1; step <= 3; step++) {
        int now = step;
        all.forEach(w -> w.gradients.forEach(g -> Worker.fill(g, now * (w.rank + 1))));
        Worker last = all.get(step % 3);
        List<Worker> others = all.stream().filter(w -> w != last).toList();
        job.all(others, w -> w.client().push(now, w.gradients));
        List<CompletableFuture<Long>> pulls =
            others.stream().map(w -> job.begin(w.client().pull(now, w.values))).toList();
        site.pass(Duration.ofMillis(200));
        assertThat(pulls).noneMatch(CompletableFuture::isDone);
        job.get(last.client().exchange(now, last.gradients, last.values));
        pulls.forEach(pull -> assertThat(job.await(pull).join()).isEqualTo(now));
        for (Worker worker : all) {
          assertThat(worker.read()).allSatisfy(v -> assertThat(v).containsOnly(2 * now));
        }
      }
    }
  }

  @ParameterizedTest(name = "staleness {0}")
  @CsvSource({"0", "2"})
  void noWorkerIsFurtherAheadThanTheBoundAndNoUpdateIsLost(int staleness) {
    int steps = 12;
    int workers = 3;
    Consistency consistency = new Consistency.BoundedStaleness(staleness);
    try (LiveJob job =
        new LiveJob(
            site, 2, b -> b.workers(workers).consistency(consistency), ShardUpdate.sgd(1, 0))) {
      List<Worker> all = job.workers(workers, SynchronousTest.tensors(17, 0, 50_000));
      all.forEach(w -> w.gradients.forEach(g -> Worker.fill(g, workers)));
      Lag lag = new Lag(site, steps, new AtomicLongArray(workers), new AtomicInteger());
      job.all(all, Worker::joinAndInit);
      job.all(all, worker -> lag.train(worker, 1));
      assertThat(lag.worst()).hasValueLessThanOrEqualTo(staleness);
      Worker first = all.getFirst();
      job.get(first.client().pull(steps, first.values));
      // Every gradient is the number of workers and is divided by it: whole numbers, exact floats.
      assertThat(first.read().getLast()).containsOnly(-steps * workers);
    }
  }

  @Test
  void aWorkerThatStaysAwayIsNamedAtTheDeadlineAndTheStepCanBeTriedAgain() {
    Duration deadline = Duration.ofSeconds(1);
    List<TensorSpec> tensors = SynchronousTest.tensors(60_000, 0, 500);
    try (LiveJob job =
        new LiveJob(
            site, 2, b -> b.workers(2).deadline(deadline), ShardUpdate.sgd(RATE, MOMENTUM))) {
      List<Worker> all = job.workers(2, tensors);
      job.all(all, Worker::joinAndInit);
      long startNs = site.clock().nanoTime();
      assertThat(job.error(all.getFirst().step(1)))
          .isInstanceOf(DeadlineExceeded.class)
          .hasMessageContaining("worker 1 ");
      assertThat(Duration.ofNanos(site.clock().nanoTime() - startNs))
          .isBetween(deadline.minusMillis(2), deadline.plusMillis(1500));
      job.all(all, worker -> worker.train(2));
      Reference reference = new Reference(tensors, 0, RATE, MOMENTUM).trainTo(2, 0, 1);
      for (Worker worker : all) {
        worker.assertHas(reference.values());
      }
    }
  }

  @Test
  void cancelsAtRandomMomentsLeakNothingAndTrainingGoesOn() {
    Random random = new Random(11); // on loopback the moments are as random as the machine
    List<TensorSpec> tensors = SynchronousTest.tensors(60_000, 0, 200_000);
    AtomicInteger regions = new AtomicInteger();
    try (LiveJob job = new LiveJob(site, 2, b -> b.workers(2), ShardUpdate.average())) {
      Worker one = job.worker(0, tensors);
      Worker two = job.worker(1, tensors);
      job.all(List.of(one, two), Worker::join);
      for (int step = 1; step <= 20; step++) {
        List<Region> mine = DeadlineTest.counted(tensors, regions);
        for (Region region : mine) {
          Worker.fill(region, step);
        }
        Disposable call = one.client().exchange(step, mine, one.values).subscribe();
        CompletableFuture<Long> other = job.begin(two.client().exchange(step, mine, two.values));
        site.pass(Duration.ofNanos(random.nextInt(2_000_000)));
        call.dispose();
        job.get(one.client().exchange(step, mine, one.values));
        job.await(other).join();
        one.assertHas(mine.stream().map(Worker::read).toList());
        two.assertHas(mine.stream().map(Worker::read).toList());
        mine.forEach(Region::release);
      }
      job.until(() -> regions.get() == 0);
    }
  }

  /** Workers at their own speed, the first the slowest; how far any was ahead of the slowest. */
  private record Lag(Site site, int steps, AtomicLongArray computed, AtomicInteger worst) {

    Mono<Void> train(Worker worker, long step) {
      if (step > steps) {
        return Mono.empty();
      }
      long slowest = IntStream.range(0, computed.length()).mapToLong(computed::get).min().orElse(0);
      worst.accumulateAndGet((int) (step - 1 - slowest), Math::max);
      Duration work = Duration.ofMillis(worker.rank == 0 ? 20 : 1);
      return Mono.delay(work, site.scheduler())
          .then(Mono.defer(() -> exchange(worker, step)))
          .then(Mono.defer(() -> train(worker, step + 1)));
    }

    private Mono<Long> exchange(Worker worker, long step) {
      computed.set(worker.rank, step);
      return worker.client().exchange(step, worker.gradients, worker.values);
    }
  }
}
