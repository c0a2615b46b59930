package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

class SynchronousTest {

  private static final int STEPS = 4;

  static List<TensorSpec> tensors(long... sizes) {
    List<TensorSpec> tensors = new ArrayList<>();
    LongStream.of(sizes).forEach(size -> tensors.add(new TensorSpec("t" + tensors.size(), size)));
    return tensors;
  }

  @ParameterizedTest(name = "seed {0}, {1} servers, {2} workers")
  @CsvSource({"1,1,1", "2,1,2", "3,3,3", "4,5,2", "5,7,4", "6,2,3"})
  void trainingEqualsTheSequentialReferenceBitByBit(long seed, int servers, int workers) {
    List<TensorSpec> tensors = tensors(0, 1, 7, 4096, 33_333, 1, 0);
    try (Cluster cluster =
        new Cluster(seed, servers, b -> b.workers(workers), ShardUpdate.sgd(0.1f, 0.9f))) {
      List<Worker> all = new ArrayList<>();
      for (int rank = 0; rank < workers; rank++) {
        all.add(cluster.worker(rank, tensors));
        all.get(rank).fill(0.5f);
      }
      cluster.get(
          Mono.when(
              all.stream()
                  .map(
                      w ->
                          w.joinAndInit()
                              .then(w.train(STEPS))
                              .then(Mono.defer(() -> w.client().leave())))
                  .toList()));
      for (int t = 0; t < tensors.size(); t++) {
        float[] start = new float[(int) tensors.get(t).elements()];
        Arrays.fill(start, 0.5f);
        float[] expected = Gradients.train(start, workers, STEPS, 0.1f, 0.9f);
        for (Worker worker : all) {
          assertThat(worker.read().get(t)).isEqualTo(expected);
        }
      }
      assertThat(cluster.get(cluster.server(0).finished().thenReturn(true))).isTrue();
      all.forEach(Worker::close);
    }
  }

  @Test
  void aTensorLargerThanAShardIsCutAndComesBackWhole() {
    long elements = 2 * ShardPlan.MAX_SHARD_ELEMENTS + 3;
    List<TensorSpec> tensors = tensors(elements);
    try (Cluster cluster = new Cluster(7, 2, b -> b.workers(2), ShardUpdate.average());
        Worker one = cluster.worker(0, tensors);
        Worker two = cluster.worker(1, tensors)) {
      cluster.get(Mono.when(one.join(), two.join()));
      cluster.get(Mono.when(one.step(1), two.step(1)));
      float[] got = one.read().getFirst();
      for (int i = 0; i < elements; i += 997) {
        float sum = Gradients.of(0, 0, 1, i) + Gradients.of(0, 1, 1, i);
        assertThat(got[i]).isEqualTo(sum / 2);
      }
      assertThat(two.read().getFirst()).isEqualTo(got);
    }
  }

  @Test
  void pushDoesNotWaitForTheOthersAndPullDoes() {
    try (Cluster cluster = new Cluster(8, 2, b -> b.workers(2), ShardUpdate.average());
        Worker one = cluster.worker(0, tensors(10));
        Worker two = cluster.worker(1, tensors(10))) {
      cluster.get(Mono.when(one.join(), two.join()));
      one.gradients.forEach(region -> Worker.fill(region, 1));
      two.gradients.forEach(region -> Worker.fill(region, 3));
      cluster.get(one.client().push(1, one.gradients));
      CompletableFuture<Long> pull = cluster.begin(one.client().pull(1, one.values));
      cluster.pass(Duration.ofSeconds(5));
      assertThat(pull).isNotDone();
      cluster.get(two.client().push(1, two.gradients));
      cluster.await(pull);
      assertThat(pull.join()).isEqualTo(1);
      assertThat(one.read().getFirst()).containsOnly(2);
      assertThat(one.client().statistics().bytesPushed()).isEqualTo(40);
      assertThat(one.client().statistics().lastSyncNs()).isGreaterThan(4_900_000_000L);
    }
  }

  @Test
  void aStepMayBePushedInPlaceOfItsValues() {
    try (Cluster cluster = new Cluster(9, 3, b -> b.workers(2), ShardUpdate.average());
        Worker one = cluster.worker(0, tensors(100, 1));
        Worker two = cluster.worker(1, tensors(100, 1))) {
      cluster.get(Mono.when(one.join(), two.join()));
      one.fill(5);
      two.fill(7);
      cluster.get(
          Mono.when(
              one.client().exchange(1, one.values, one.values),
              two.client().exchange(1, two.values, two.values)));
      assertThat(one.read().getFirst()).containsOnly(6);
      assertThat(two.read().getLast()).containsOnly(6);
    }
  }

  @Test
  void theFirstWorkersInitialValuesAreUsedByAll() {
    try (Cluster cluster = new Cluster(10, 3, b -> b.workers(3), ShardUpdate.sgd(0.1f, 0));
        Worker one = cluster.worker(0, tensors(100, 5, 0));
        Worker two = cluster.worker(1, tensors(100, 5, 0));
        Worker three = cluster.worker(2, tensors(100, 5, 0))) {
      one.fill(1);
      two.fill(2);
      three.fill(3);
      cluster.get(Mono.when(one.joinAndInit(), two.joinAndInit(), three.joinAndInit()));
      float used = one.read().getFirst()[0];
      for (Worker worker : List.of(one, two, three)) {
        assertThat(worker.read().getFirst()).containsOnly(used);
        assertThat(worker.read().get(1)).containsOnly(used);
      }
    }
  }
}
