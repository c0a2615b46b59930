package io.maestro.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroObserver;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.verbs.sim.SimFabric;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** Clients and a server on a simulated fabric, in virtual time on the thread of the test. */
final class SimPeers implements AutoCloseable {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final InetSocketAddress SERVER = new InetSocketAddress("10.0.1.1", 0);

  final SimFabric fabric;
  final CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
  final List<Connection> accepted = new ArrayList<>();
  private final List<Maestro> all = new ArrayList<>();
  private final Maestro server;
  private final Binding binding;

  SimPeers() {
    this(true);
  }

  /**
   * Peers.
   *
   * @param signals whether the provider knows congestion marks and the like
   */
  SimPeers(boolean signals) {
    fabric =
        SimFabric.builder()
            .seed(7)
            .address("10.0.0.1")
            .address("10.0.0.2")
            .address("10.0.1.1")
            .address("10.0.1.2")
            .signals(signals)
            .build();
    server = maestro();
    binding = one(server.bind(SERVER, new InetSocketAddress(InetAddress.ofLiteral("10.0.1.2"), 0)));
    binding
        .connections()
        .subscribe(
            connection -> {
              accepted.add(connection);
              connection.receive().subscribe(Message::close);
            });
  }

  /** An instance on the fabric, with paths over two addresses. */
  Maestro maestro(MaestroObserver... observers) {
    MaestroConfig config =
        MaestroConfig.with(
            b ->
                b.paths(2)
                    .secret("between us")
                    .localAddresses(
                        Stream.of("10.0.0.1", "10.0.0.2").map(InetAddress::ofLiteral).toList()));
    var builder =
        Maestro.builder(config)
            .provider(fabric.provider())
            .delivery(Schedulers.immediate())
            .breakers(breakers);
    for (MaestroObserver observer : observers) {
      builder.observer(observer);
    }
    Maestro maestro = builder.create();
    all.add(maestro);
    return maestro;
  }

  Connection connect(Maestro client) {
    return one(client.connect(binding.addresses().toArray(InetSocketAddress[]::new)));
  }

  void send(Connection connection, long bytes) {
    send(connection, bytes, Context.empty());
  }

  void send(Connection connection, long bytes, Context context) {
    Region region = Region.allocate(bytes);
    one(connection.send(region).contextWrite(context));
    region.release();
  }

  /** Cuts the wire of the first path, or mends it. */
  void wire(boolean up) {
    fabric.setUp(InetAddress.ofLiteral("10.0.0.1"), InetAddress.ofLiteral("10.0.1.1"), up);
  }

  void until(BooleanSupplier condition) {
    assertThat(fabric.runUntil(condition, MINUTE)).as("it happens within %s", MINUTE).isTrue();
  }

  <T> T one(Mono<T> source) {
    List<T> got = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    boolean[] done = new boolean[1];
    source.subscribe(got::add, failures::add, () -> done[0] = true);
    until(() -> done[0] || !failures.isEmpty());
    assertThat(failures).isEmpty();
    return got.isEmpty() ? null : got.getFirst();
  }

  @Override
  public void close() {
    all.forEach(Maestro::close);
  }
}
