package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Servers and workers on one network in virtual time, replayed exactly by the same seed. */
final class Cluster implements AutoCloseable {

  static final int MAX_DELAY_US = 500;

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final MemoryNetwork network;
  private final PsConfig config;
  private final List<ParameterServer> servers = new ArrayList<>();
  private final List<Sinks.Many<Connection>> doors = new ArrayList<>();

  Cluster(long seed, int servers, UnaryOperator<PsConfig.Builder> steps, ShardUpdate update) {
    network = new MemoryNetwork(time, seed, MAX_DELAY_US);
    config =
        PsConfig.with(
            b ->
                steps.apply(
                    b.scheduler(time)
                        .clock(() -> time.now(TimeUnit.NANOSECONDS))
                        .memoryBytes(1L << 32)
                        .deadline(Duration.ofSeconds(10))));
    for (int i = 0; i < servers; i++) {
      Sinks.Many<Connection> door = Sinks.many().unicast().onBackpressureBuffer();
      doors.add(door);
      this.servers.add(ParameterServer.start(door.asFlux(), config, update));
    }
  }

  PsConfig config() {
    return config;
  }

  VirtualTimeScheduler time() {
    return time;
  }

  MemoryNetwork network() {
    return network;
  }

  ParameterServer server(int index) {
    return servers.get(index);
  }

  /** A worker's ends of new connections to all servers. */
  List<Connection> connect(String worker) {
    List<Connection> ends = new ArrayList<>();
    for (int i = 0; i < doors.size(); i++) {
      List<MemoryConnection> pair = MemoryConnection.pair(network, worker, "server-" + i);
      ends.add(pair.getFirst());
      doors.get(i).tryEmitNext(pair.getLast()).orThrow();
    }
    return ends;
  }

  Worker worker(int rank, List<TensorSpec> tensors) {
    return worker(rank, tensors, config);
  }

  Worker worker(int rank, List<TensorSpec> tensors, PsConfig settings) {
    return new Worker(rank, connect("host-" + rank), tensors, settings);
  }

  /** Subscribes now; virtual time has to pass. */
  <T> CompletableFuture<T> begin(Mono<T> call) {
    return call.toFuture();
  }

  /** The result, with as much virtual time as it takes, up to a minute. */
  <T> T get(Mono<T> call) {
    CompletableFuture<T> future = call.toFuture();
    await(future);
    return future.join();
  }

  /** The error, with as much virtual time as it takes, up to a minute. */
  Throwable error(Mono<?> call) {
    CompletableFuture<?> future = call.toFuture();
    await(future);
    return future.exceptionNow();
  }

  void await(CompletableFuture<?> future) {
    for (int ms = 0; ms < 60_000 && !future.isDone(); ms++) {
      pass(Duration.ofMillis(1));
    }
    assertThat(future).as("after a minute of virtual time").isDone();
  }

  void pass(Duration duration) {
    time.advanceTimeBy(duration);
  }

  /** Closes all and checks that no message is held any more. */
  @Override
  public void close() {
    servers.forEach(server -> server.close().subscribe());
    pass(Duration.ofMinutes(2));
    assertThat(network.leased()).as("leased messages").isZero();
    time.dispose();
  }
}
