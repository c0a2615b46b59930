package io.maestro.route;

import io.maestro.Maestro;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import io.maestro.api.Routing;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;

/**
 * A connection that sends a message each second and then says from where its paths go and over how
 * many spines, run in a host of a fabric: {@code SECONDS PORT LOCAL,… REMOTE,…}.
 */
final class RouteWatcher {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int BYTES = 8 << 20;

  private RouteWatcher() {}

  /** Watches for so many seconds. */
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[1]);
    Routing routing =
        new Routing(Routing.Mode.PROBE, null, Duration.ofSeconds(5), Duration.ofSeconds(1));
    MaestroConfig config =
        MaestroConfig.with(
            b -> b.secret(RoutePeer.SECRET).localAddresses(list(arguments[2])).routing(routing));
    InetSocketAddress[] remotes =
        list(arguments[3]).stream()
            .map(address -> new InetSocketAddress(address, port))
            .toArray(InetSocketAddress[]::new);
    try (Maestro maestro = Maestro.create(config);
        Region content = Region.allocate(BYTES)) {
      Connection connection = maestro.connect(remotes).block(LIMIT);
      Flux.interval(Duration.ofSeconds(1))
          .onBackpressureDrop()
          .take(Integer.parseInt(arguments[0]))
          .concatMap(second -> connection.send(content).thenReturn(connection.paths()), 1)
          .doOnNext(RouteWatcher::print)
          .blockLast();
      connection.close().block(LIMIT);
    }
  }

  private static List<InetAddress> list(String addresses) {
    return Stream.of(addresses.split(",")).map(InetAddress::ofLiteral).toList();
  }

  private static void print(List<PathReport> paths) {
    long spines = paths.stream().map(path -> path.route().probed()).distinct().count();
    String ends =
        paths.stream()
            .map(path -> path.local().toString().substring(1) + path.remote())
            .collect(Collectors.joining(" "));
    System.out.println("up " + up(paths) + " spines " + spines + " from " + ends);
  }

  private static long up(List<PathReport> paths) {
    return paths.stream().filter(path -> path.state() == PathReport.State.UP).count();
  }
}
