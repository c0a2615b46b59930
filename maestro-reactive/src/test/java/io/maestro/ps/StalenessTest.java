package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

class StalenessTest {

  private static final int STEPS = 30;

  @ParameterizedTest(name = "seed {0}, staleness {1}, {2} workers, {3} servers")
  @CsvSource({"1,0,3,2", "2,1,2,1", "3,2,4,3", "4,5,3,2", "5,3,5,1", "6,1,4,5"})
  void noWorkerIsFurtherAheadThanTheBoundAndNoUpdateIsLost(
      long seed, int staleness, int workers, int servers) {
    List<TensorSpec> tensors = SynchronousTest.tensors(17, 0, 1000, 1);
    try (Cluster cluster = cluster(servers, seed, staleness, workers)) {
      Lag lag = new Lag(new long[workers], new Random(seed), cluster);
      List<Worker> all = new ArrayList<>();
      for (int rank = 0; rank < workers; rank++) {
        all.add(cluster.worker(rank, tensors));
        all.get(rank).gradients.forEach(region -> Worker.fill(region, workers));
      }
      cluster.get(Mono.when(all.stream().map(Worker::joinAndInit).toList()));
      cluster.get(Mono.when(all.stream().map(worker -> lag.train(worker, 1)).toList()));
      assertThat(lag.worst).as("seed %d", seed).isEqualTo(staleness);
      cluster.get(all.getFirst().client().pull(STEPS, all.getFirst().values));
      // Every gradient is the number of workers and is divided by it: whole numbers, exact floats.
      assertThat(all.getFirst().read().get(2)).containsOnly(-STEPS * workers);
      all.forEach(Worker::close);
    }
  }

  @Test
  void anUpdateThatIgnoresTheParametersIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster(1, 1, 2, 1, ShardUpdate.average()))
        .withMessageContaining("loses gradients");
  }

  private static Cluster cluster(int servers, long seed, int staleness, int workers) {
    return cluster(servers, seed, staleness, workers, ShardUpdate.sgd(1, 0));
  }

  private static Cluster cluster(
      int servers, long seed, int staleness, int workers, ShardUpdate update) {
    return new Cluster(
        seed,
        servers,
        b -> b.workers(workers).consistency(new Consistency.BoundedStaleness(staleness)),
        update);
  }

  /** Workers of different and varying speed; the first is the slowest. */
  private static final class Lag {
    private final long[] computed;
    private final Random random;
    private final Cluster cluster;
    private long worst;

    Lag(long[] computed, Random random, Cluster cluster) {
      this.computed = computed;
      this.random = random;
      this.cluster = cluster;
    }

    Mono<Void> train(Worker worker, long step) {
      if (step > STEPS) {
        return Mono.empty();
      }
      long slowest = Arrays.stream(computed).min().orElse(0);
      worst = Math.max(worst, step - 1 - slowest);
      Duration work = Duration.ofMillis(random.nextInt(worker.rank == 0 ? 40 : 5));
      return Mono.delay(work, cluster.time())
          .then(Mono.defer(() -> exchange(worker, step)))
          .then(Mono.defer(() -> train(worker, step + 1)));
    }

    private Mono<Long> exchange(Worker worker, long step) {
      computed[worker.rank] = step;
      return worker.client().exchange(step, worker.gradients, worker.values);
    }
  }
}
