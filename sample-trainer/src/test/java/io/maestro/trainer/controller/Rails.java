package io.maestro.trainer.controller;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import io.maestro.control.RemoteController;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Two hosts on loopback whose four network cards are each joined by a switch of their own, of which
 * the first is three times as fast as the others: what a controller is told. A stream of messages
 * goes from one to the other.
 */
public final class Rails implements AutoCloseable {
  public static final List<Double> STEERED = List.of(0.5, 1.0 / 6, 1.0 / 6, 1.0 / 6);
  public static final List<Double> EQUAL = List.of(0.25, 0.25, 0.25, 0.25);

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int MESSAGE = 256 * 1024;

  private final Maestro receiver = Maestro.create();
  private final Maestro sender;
  private final Disposable traffic;
  private final Connection connection;

  public Rails(InetSocketAddress controller, String secret) {
    sender =
        Maestro.builder(MaestroConfig.with(b -> b.localAddresses(addresses("127.0.1."))))
            .controller(new RemoteController(RemoteController.url(controller), secret))
            .create();
    Binding binding = receiver.bind(listening()).block(LONG);
    binding.connections().flatMap(Connection::receive).subscribe(message -> message.close());
    connection = sender.connect(binding.addresses().toArray(InetSocketAddress[]::new)).block(LONG);
    traffic =
        Mono.defer(Rails::message)
            .flatMap(region -> connection.send(region).doFinally(end -> region.close()))
            .then(Mono.delay(Duration.ofMillis(20)))
            .repeat()
            .subscribe();
  }

  /** The sender's connection. */
  public Connection connection() {
    return connection;
  }

  private static Mono<Region> message() {
    return Mono.fromSupplier(() -> Region.allocate(MESSAGE));
  }

  private static List<InetAddress> addresses(String prefix) {
    return IntStream.rangeClosed(1, 4).mapToObj(i -> InetAddress.ofLiteral(prefix + i)).toList();
  }

  private static InetSocketAddress[] listening() {
    return addresses("127.0.0.").stream()
        .map(address -> new InetSocketAddress(address, 0))
        .toArray(InetSocketAddress[]::new);
  }

  /** What the controller is told of them. */
  public static String topology() {
    StringBuilder nodes = new StringBuilder();
    StringBuilder links = new StringBuilder();
    for (int rail = 1; rail <= 4; rail++) {
      nodes.append(",{\"name\":\"switch%d\"}".formatted(rail));
      int mbit = rail == 1 ? 300 : 100;
      for (String host : List.of("a", "b")) {
        String address = (host.equals("a") ? "127.0.1." : "127.0.0.") + rail;
        links.append(
            """
            %s{"from":"%s","to":"switch%d","mbit":%d,"bothWays":true,"hostAddresses":["%s"]}"""
                .formatted(links.isEmpty() ? "" : ",", host, rail, mbit, address));
      }
    }
    return """
    {"nodes":[
      {"name":"a","kind":"host","addresses":["127.0.1.1","127.0.1.2","127.0.1.3","127.0.1.4"]},
      {"name":"b","kind":"host","addresses":["127.0.0.1","127.0.0.2","127.0.0.3","127.0.0.4"]}%s],
     "links":[%s]}"""
        .formatted(nodes, links);
  }

  private boolean has(List<Double> wanted) {
    List<PathReport> paths = connection.paths();
    return IntStream.range(0, wanted.size())
        .allMatch(path -> Math.abs(paths.get(path).weight() - wanted.get(path)) < 0.06);
  }

  /** Waits until the weights are so. */
  public void await(List<Double> wanted, Duration limit) {
    until(() -> has(wanted), limit, () -> "weights of " + connection.paths());
  }

  public static void until(BooleanSupplier holds, Duration limit, Supplier<String> otherwise) {
    Flux.interval(Duration.ZERO, Duration.ofMillis(5))
        .onBackpressureDrop()
        .filter(tick -> holds.getAsBoolean())
        .next()
        .timeout(limit, Mono.error(() -> new AssertionError(otherwise.get())))
        .block();
  }

  @Override
  public void close() {
    traffic.dispose();
    sender.close();
    receiver.close();
  }
}
