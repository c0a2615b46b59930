package io.maestro.trainer.sync;

import static io.maestro.trainer.sync.Vectors.valuesOf;
import static io.maestro.trainer.sync.Vectors.vector;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class MaestroTransportTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final JobSpec JOB = new JobSpec("test", 5, 2, 2, 10, 42);
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final MaestroTransport transport =
      new MaestroTransport(4, false, null, UnaryOperator.identity());
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable closeable : open) {
      closeable.close();
    }
  }

  @Test
  void twoWorkersTrainOverTwoShards() {
    List<SyncServer> servers = List.of(server(0, vector(1, 2)), server(1, vector(3, 4, 5)));
    GradientSync first = worker(0, servers, "secret");
    GradientSync second = worker(1, servers, "secret");
    MemorySegment ofFirst = vector(1, 2, 3, 4, 5);
    MemorySegment ofSecond = vector(1, 2, 3, 4, 5);

    complete(Mono.when(first.register(JOB, ofFirst), second.register(JOB, ofSecond)));
    assertThat(valuesOf(ofFirst)).containsExactly(1, 2, 3, 4, 5);
    complete(
        Mono.when(
            first.pushPull(0, vector(1, 1, 1, 1, 1), ofFirst),
            second.pushPull(0, vector(3, 3, 3, 3, 3), ofSecond)));

    assertThat(valuesOf(ofFirst)).containsExactly(-1, 0, 1, 2, 3);
    assertThat(valuesOf(ofSecond)).containsExactly(-1, 0, 1, 2, 3);
    // The initial values go there from one worker and back to the other.
    assertThat(first.stats().bytes()).isEqualTo(60);
    assertThat(second.stats().bytes()).isEqualTo(60);
    first.close();
    second.close();
    servers.forEach(server -> complete(server.finished()));
  }

  @Test
  void aWorkerWithAnotherSecretIsTurnedAway() {
    List<SyncServer> servers = List.of(server(0, vector(1, 2)), server(1, vector(3, 4, 5)));

    StepVerifier.create(worker(0, servers, "other").register(JOB, vector(new float[5])))
        .expectErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(SyncException.class)
                    .hasMessageContaining("does not know our secret"))
        .verify(PATIENCE);
  }

  @Test
  void aWorkerWithAnotherJobIsTurnedAwayAndItsJobNamed() {
    List<SyncServer> servers = List.of(server(0, vector(1, 2)), server(1, vector(3, 4, 5)));
    JobSpec other = new JobSpec("test", 5, 2, 2, 10, 43);

    complete(worker(0, servers, "secret").register(JOB, vector(new float[5])));
    StepVerifier.create(worker(1, servers, "secret").register(other, vector(new float[5])))
        .expectErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(SyncException.class)
                    .hasMessageContaining("differ from those of the first worker")
                    .hasMessageContaining("seed 43"))
        .verify(PATIENCE);
  }

  @Test
  void aServerThatIsNotThereIsNamed() {
    SyncServer server = server(0, vector(1, 2));
    String address = server.address();
    server.close();

    StepVerifier.create(
            worker(0, List.of(server, server), "secret").register(JOB, vector(new float[5])))
        .expectErrorSatisfies(error -> assertThat(error).hasMessageContaining(address))
        .verify(PATIENCE);
  }

  @Test
  void aServerThatDiesEndsTheWaitOfItsWorkers() {
    List<SyncServer> servers = List.of(server(0, vector(1, 2)), server(1, vector(3, 4, 5)));
    GradientSync first = worker(0, servers, "secret");
    GradientSync second = worker(1, servers, "secret");
    MemorySegment parameters = vector(new float[5]);
    complete(
        Mono.when(first.register(JOB, parameters), second.register(JOB, vector(new float[5]))));

    StepVerifier.create(first.pushPull(0, vector(1, 1, 1, 1, 1), parameters))
        .expectSubscription()
        .then(servers.get(1)::close)
        .expectErrorSatisfies(
            error -> assertThat(error).hasMessageContaining(servers.get(1).address()))
        .verify(PATIENCE);
  }

  private SyncServer server(int index, MemorySegment initial) {
    var options = new ServerOptions(index, ANY, "secret", false);
    SyncServer server =
        transport.serve(JOB, options, initial, new Sgd(1, 0, initial.byteSize() / Float.BYTES));
    open.add(server);
    return server;
  }

  private GradientSync worker(int rank, List<SyncServer> servers, String secret) {
    List<InetSocketAddress> addresses =
        servers.stream()
            .map(server -> server.address().split(":"))
            .map(parts -> new InetSocketAddress(parts[0], Integer.parseInt(parts[1])))
            .toList();
    GradientSync worker = transport.join(rank, addresses, secret, new Sgd(1, 0, 0));
    open.add(worker);
    return worker;
  }

  private static void complete(Mono<Void> call) {
    StepVerifier.create(call).expectComplete().verify(PATIENCE);
  }
}
