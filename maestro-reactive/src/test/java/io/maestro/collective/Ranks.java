package io.maestro.collective;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.Connection;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/** A world of ranks, each with a Maestro of its own, all connected with one another. */
final class Ranks implements AutoCloseable {

  static final Duration LONG = Duration.ofMinutes(1);

  private final RankNetwork network;
  private final List<Maestro> hosts = new ArrayList<>();
  private final List<Communicator> members = new ArrayList<>();

  Ranks(RankNetwork network, int size, Duration deadline) {
    this.network = network;
    List<List<Connection>> others = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      hosts.add(network.maestro(rank));
      others.add(Collections.synchronizedList(new ArrayList<>()));
    }
    for (int low = 0; low < size; low++) {
      connectHigher(low, others);
    }
    for (int rank = 0; rank < size; rank++) {
      members.add(Communicator.over(rank, others.get(rank), deadline, network.scheduler()));
    }
  }

  private void connectHigher(int low, List<List<Connection>> others) {
    Binding binding = get(hosts.get(low).bind(network.address(low)));
    InetSocketAddress[] door = binding.addresses().toArray(InetSocketAddress[]::new);
    List<Connection> accepted = others.get(low);
    binding.connections().subscribe(accepted::add);
    for (int high = low + 1; high < hosts.size(); high++) {
      int expected = high;
      others.get(high).add(get(hosts.get(high).connect(door)));
      network.until(() -> accepted.size() == expected, LONG);
    }
  }

  int size() {
    return members.size();
  }

  Communicator member(int rank) {
    return members.get(rank);
  }

  /** The process of a rank ends as if it was killed. */
  void crash(int rank) {
    hosts.get(rank).close();
  }

  /** The calls of all ranks, begun in the order of ranks. */
  List<CompletableFuture<Void>> begin(Function<Communicator, Mono<Void>> call) {
    return members.stream().map(member -> call.apply(member).toFuture()).toList();
  }

  void all(Function<Communicator, Mono<Void>> call) {
    begin(call).forEach(future -> await(future).join());
  }

  <T> CompletableFuture<T> await(CompletableFuture<T> future) {
    network.until(future::isDone, LONG);
    return future;
  }

  private <T> T get(Mono<T> call) {
    return await(call.toFuture()).join();
  }

  void untilTrue(AtomicBoolean flag) {
    until(flag::get);
  }

  void until(BooleanSupplier condition) {
    network.until(condition, LONG);
  }

  long leasedBytes() {
    return hosts.stream().mapToLong(Maestro::leasedBytes).sum();
  }

  IntStream numbers(int count) {
    return IntStream.range(0, count);
  }

  IntStream numbers() {
    return IntStream.range(0, size());
  }

  /** Ends all and checks that no message is held any more. */
  @Override
  public void close() {
    try {
      members.forEach(Communicator::close);
      network.until(() -> leasedBytes() == 0, LONG);
    } finally {
      hosts.forEach(Maestro::close);
    }
  }
}
