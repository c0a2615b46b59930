package io.maestro.ps;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Connection;
import io.maestro.api.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A worker of a test with its regions. */
final class Worker implements AutoCloseable {

  final int rank;
  final List<Connection> connections;
  final List<Region> values = new ArrayList<>();
  final List<Region> gradients = new ArrayList<>();
  private final List<TensorSpec> tensors;
  private final PsConfig config;
  private @Nullable ParameterClient client;

  Worker(int rank, List<Connection> connections, List<TensorSpec> tensors, PsConfig config) {
    this.rank = rank;
    this.connections = connections;
    this.tensors = tensors;
    this.config = config;
    tensors.forEach(tensor -> values.add(Region.allocate(tensor.bytes())));
    tensors.forEach(tensor -> gradients.add(Region.allocate(tensor.bytes())));
  }

  Mono<ParameterClient> join() {
    return ParameterClient.join(connections, rank, tensors, config)
        .doOnNext(joined -> client = joined);
  }

  Mono<Void> joinAndInit() {
    return join().flatMap(joined -> joined.init(values));
  }

  ParameterClient client() {
    return Objects.requireNonNull(client);
  }

  /** Computes gradients for a step and exchanges them for the next values. */
  Mono<Long> step(long step) {
    return Mono.defer(
        () -> {
          for (int t = 0; t < values.size(); t++) {
            Gradients.fill(read(values.get(t)), rank, step, gradients.get(t));
          }
          return client().exchange(step, gradients, values);
        });
  }

  /** All steps from the first one of this worker to the last. */
  Mono<Void> train(long lastStep) {
    return Mono.defer(() -> trainFrom(client().firstStep(), lastStep));
  }

  /** All steps from one to the last. */
  Mono<Void> trainFrom(long step, long lastStep) {
    return step > lastStep
        ? Mono.empty()
        : step(step).then(Mono.defer(() -> trainFrom(step + 1, lastStep)));
  }

  void fill(float value) {
    values.forEach(region -> fill(region, value));
  }

  static void fill(Region region, float value) {
    for (long i = 0; i < region.size() / Float.BYTES; i++) {
      region.segment().setAtIndex(JAVA_FLOAT, i, value);
    }
  }

  static float[] read(Region region) {
    return region.segment().toArray(JAVA_FLOAT);
  }

  List<float[]> read() {
    return values.stream().map(Worker::read).toList();
  }

  /** The values equal these bit by bit. */
  void assertHas(List<float[]> expected) {
    assertThat(values).hasSameSizeAs(expected);
    for (int t = 0; t < expected.size(); t++) {
      float[] mine = read(values.get(t));
      int different = Arrays.mismatch(mine, expected.get(t));
      assertThat(different)
          .as("first index at which worker %d's tensor %d is different", rank, t)
          .isEqualTo(-1);
    }
  }

  void kill() {
    connections.forEach(connection -> ((MemoryConnection) connection).kill());
  }

  @Override
  public void close() {
    values.forEach(Region::release);
    gradients.forEach(Region::release);
  }
}
