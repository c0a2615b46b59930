package io.maestro.collective;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/** Ranks that meet at a list of addresses, each with a Maestro of its own. */
final class Group implements AutoCloseable {

  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final RankNetwork network;
  private final List<Maestro> hosts = new ArrayList<>();
  private final List<Rendezvous> places = new ArrayList<>();

  Group(RankNetwork network, int size, Duration limit) {
    this.network = network;
    List<Binding> bindings = new ArrayList<>();
    List<List<InetSocketAddress>> addresses = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      hosts.add(network.maestro(rank));
      bindings.add(await(hosts.get(rank).bind(network.address(rank)).toFuture()).join());
      addresses.add(bindings.get(rank).addresses());
    }
    for (int rank = 0; rank < size; rank++) {
      places.add(
          AddressList.of(rank, addresses, bindings.get(rank), hosts.get(rank)::connect)
              .within(limit, network.scheduler()));
    }
  }

  List<Integer> ranks(int size) {
    return IntStream.range(0, size).boxed().toList();
  }

  /** Some ranks begin to form a communicator, in this order. */
  List<CompletableFuture<Communicator>> begin(IntStream ranks) {
    return ranks
        .mapToObj(places::get)
        .map(place -> Communicator.form(place, DEADLINE, network.scheduler()).toFuture())
        .toList();
  }

  /** Communicators in the order of their ranks. */
  List<Communicator> form(IntStream ranks) {
    return sorted(begin(ranks));
  }

  List<Communicator> reform(List<Communicator> members) {
    return sorted(members.stream().map(member -> member.reform().toFuture()).toList());
  }

  private List<Communicator> sorted(List<CompletableFuture<Communicator>> forming) {
    return forming.stream()
        .map(future -> await(future).join())
        .sorted((a, b) -> Integer.compare(a.rank(), b.rank()))
        .toList();
  }

  Map<Communicator, CompletableFuture<Void>> begin(
      List<Communicator> members, Function<Communicator, Mono<Void>> call) {
    Map<Communicator, CompletableFuture<Void>> calls = new LinkedHashMap<>();
    members.forEach(member -> calls.put(member, call.apply(member).toFuture()));
    return calls;
  }

  void all(List<Communicator> members, Function<Communicator, Mono<Void>> call) {
    begin(members, call).values().forEach(future -> await(future).join());
  }

  /** Calls of which nothing is expected but that they end. */
  void settle(List<Communicator> members, Function<Communicator, Mono<Void>> call) {
    for (CompletableFuture<Void> future : begin(members, call).values()) {
      network.until(future::isDone, Ranks.LONG);
    }
  }

  /** The process of a rank, by its first number, ends as if it was killed. */
  void crash(int rank) {
    hosts.get(rank).close();
  }

  <T> CompletableFuture<T> await(CompletableFuture<T> future) {
    network.until(future::isDone, Ranks.LONG);
    return future;
  }

  @Override
  public void close() {
    hosts.forEach(Maestro::close);
  }
}
