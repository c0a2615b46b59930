package io.maestro.trainer.sync;

import static io.maestro.trainer.sync.Vectors.valuesOf;
import static io.maestro.trainer.sync.Vectors.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class AllReduceTransportTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final JobSpec JOB = new JobSpec("test", 5, 2, 0, 10, 42);

  private final Transport transport =
      new AllReduceTransport(new MaestroTransport(2, false, null, UnaryOperator.identity()));
  private final List<GradientSync> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(GradientSync::close);
  }

  @Test
  void workersStartFromTheFirstOnesParametersAndMakeTheSameSteps() throws Exception {
    workers();
    MemorySegment ofFirst = vector(1, 2, 3, 4, 5);
    MemorySegment ofSecond = vector(0, 0, 0, 0, 0);
    complete(Mono.when(open.get(0).register(JOB, ofFirst), open.get(1).register(JOB, ofSecond)));
    assertThat(valuesOf(ofSecond)).containsExactly(1, 2, 3, 4, 5);

    complete(
        Mono.when(
            open.get(0).pushPull(0, vector(1, 1, 1, 1, 1), ofFirst),
            open.get(1).pushPull(0, vector(3, 3, 3, 3, 3), ofSecond)));

    assertThat(valuesOf(ofFirst)).containsExactly(-1, 0, 1, 2, 3);
    assertThat(valuesOf(ofSecond)).containsExactly(-1, 0, 1, 2, 3);
    assertThat(open.get(0).stats().bytes()).isEqualTo(40);
    assertThat(open.get(0).stats().paths()).hasSize(2);
  }

  @Test
  void aWorkerWithAnotherJobIsNamedOnTheOthers() throws Exception {
    workers();
    JobSpec other = new JobSpec("test", 5, 2, 0, 10, 43);
    Mono<Void> second = open.get(1).register(other, vector(new float[5])).onErrorComplete();
    StepVerifier.create(open.get(0).register(JOB, vector(new float[5])).mergeWith(second))
        .expectErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(SyncException.class)
                    .hasMessageContaining("worker 1 has another job")
                    .hasMessageContaining("seed 42"))
        .verify(PATIENCE);
  }

  @Test
  void aWorkerThatLeavesEndsTheStepOfTheOthersWithItsName() throws Exception {
    workers();
    MemorySegment parameters = vector(1, 2, 3, 4, 5);
    complete(
        Mono.when(
            open.get(0).register(JOB, parameters),
            open.get(1).register(JOB, vector(new float[5]))));
    StepVerifier.create(open.get(0).pushPull(0, vector(1, 1, 1, 1, 1), parameters))
        .expectSubscription()
        .then(open.get(1)::close)
        .expectErrorSatisfies(
            error ->
                assertThat(error).isInstanceOf(SyncException.class).hasMessageContaining("rank 1"))
        .verify(PATIENCE);
  }

  @Test
  void thereIsNoServer() {
    var options =
        new ServerOptions(
            0, new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), "between us", false);
    assertThatThrownBy(() -> transport.serve(JOB, options, vector(1), new Sgd(1, 0, 0)))
        .isInstanceOf(SyncException.class);
  }

  private void workers() throws IOException {
    List<InetSocketAddress> peers = List.of(free(), free());
    for (int rank = 0; rank < peers.size(); rank++) {
      open.add(transport.join(rank, peers, "between us", new Sgd(1, 0, 0)));
    }
  }

  private static InetSocketAddress free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }
  }

  private static void complete(Mono<Void> call) {
    StepVerifier.create(call).expectComplete().verify(PATIENCE);
  }
}
