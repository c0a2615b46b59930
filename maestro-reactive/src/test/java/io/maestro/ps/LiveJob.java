package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.Connection;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Servers and workers of one job, each with a Maestro instance of its own as in a process of its
 * own: server {@code i} on host {@code i}, the worker of rank {@code r} on host {@link
 * #FIRST_WORKER} {@code + r}.
 */
final class LiveJob implements AutoCloseable {

  static final int FIRST_WORKER = 4;

  private static final Duration LONG = Duration.ofMinutes(1);

  private final Site site;
  private final PsConfig config;
  private final List<Maestro> hosts = new ArrayList<>();
  private final List<Binding> bindings = new ArrayList<>();
  private final List<ParameterServer> servers = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private final Map<Worker, Maestro> hostOf = new HashMap<>();

  LiveJob(Site site, int servers, UnaryOperator<PsConfig.Builder> steps, ShardUpdate update) {
    this.site = site;
    config =
        PsConfig.with(
            b ->
                steps.apply(
                    b.scheduler(site.scheduler())
                        .clock(site.clock())
                        .memoryBytes(1L << 30)
                        .deadline(Duration.ofSeconds(20))));
    for (int i = 0; i < servers; i++) {
      Maestro maestro = host(i);
      bindings.add(get(maestro.bind(site.addresses(i).toArray(InetSocketAddress[]::new))));
      this.servers.add(ParameterServer.start(bindings.get(i).connections(), config, update));
    }
  }

  private Maestro host(int number) {
    Maestro maestro = site.maestro(number);
    hosts.add(maestro);
    return maestro;
  }

  Worker worker(int rank, List<TensorSpec> tensors) {
    Maestro maestro = host(FIRST_WORKER + rank);
    Mono<List<Connection>> connections =
        Flux.fromIterable(bindings)
            .map(binding -> binding.addresses().toArray(InetSocketAddress[]::new))
            .concatMap(maestro::connect)
            .collectList();
    Worker worker = new Worker(rank, get(connections), tensors, config);
    workers.add(worker);
    hostOf.put(worker, maestro);
    return worker;
  }

  /** Workers of the ranks from 0 on. */
  List<Worker> workers(int count, List<TensorSpec> tensors) {
    List<Worker> all = new ArrayList<>();
    for (int rank = 0; rank < count; rank++) {
      all.add(worker(rank, tensors));
    }
    return all;
  }

  /** All at once. */
  void all(List<Worker> some, Function<Worker, Mono<?>> call) {
    get(Mono.when(some.stream().map(call).toList()));
  }

  ParameterServer server(int index) {
    return servers.get(index);
  }

  /** The worker's process ends as if it was killed. */
  void crash(Worker worker) {
    hostOf.get(worker).close();
  }

  /** The server's process ends as if it was killed. */
  void crashServer(int index) {
    hosts.get(index).close();
  }

  <T> CompletableFuture<T> begin(Mono<T> call) {
    return call.toFuture();
  }

  <T> T get(Mono<T> call) {
    return await(call.toFuture()).join();
  }

  Throwable error(Mono<?> call) {
    return await(call.toFuture()).exceptionNow();
  }

  <T> CompletableFuture<T> await(CompletableFuture<T> future) {
    site.until(future::isDone, LONG);
    return future;
  }

  void until(BooleanSupplier condition) {
    site.until(condition, LONG);
  }

  long leasedBytes() {
    return hosts.stream().mapToLong(Maestro::leasedBytes).sum();
  }

  /** Closes all and checks that no message is held any more. */
  @Override
  public void close() {
    try {
      get(Flux.fromIterable(servers).concatMap(ParameterServer::close).then());
      until(() -> leasedBytes() == 0);
      assertThat(leasedBytes()).as("bytes of leased messages").isZero();
    } finally {
      hosts.forEach(Maestro::close);
      workers.forEach(Worker::close);
      site.pass(Duration.ofMillis(10));
    }
  }
}
