package io.maestro.route;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.Message;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import io.maestro.api.RouteReport;
import io.maestro.api.Routing;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * One end of connections over chosen routes, run in a host of a fabric: {@code receive PORT
 * ADDRESS,…} or {@code send PORT BYTES STARTS LOCAL,… REMOTE,… [TOPOLOGY]}.
 */
final class RoutePeer {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  static final String SECRET = "known to both";

  private RoutePeer() {}

  /** Runs one end. */
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[1]);
    if (arguments[0].equals("receive")) {
      receive(addresses(arguments[2], port));
      return;
    }
    Path topology = arguments.length > 6 ? Path.of(arguments[6]) : null;
    Routing routing = new Routing(Routing.Mode.PROBE, topology, Duration.ofSeconds(5));
    List<InetAddress> locals =
        Stream.of(arguments[4].split(",")).map(InetAddress::ofLiteral).toList();
    for (int start = 0; start < Integer.parseInt(arguments[3]); start++) {
      send(
          Long.parseLong(arguments[2]),
          MaestroConfig.with(b -> b.secret(SECRET).localAddresses(locals).routing(routing)),
          addresses(arguments[5], port));
    }
  }

  private static InetSocketAddress[] addresses(String list, int port) {
    return Stream.of(list.split(","))
        .map(address -> new InetSocketAddress(InetAddress.ofLiteral(address), port))
        .toArray(InetSocketAddress[]::new);
  }

  private static void receive(InetSocketAddress[] here) {
    try (Maestro maestro = Maestro.create(MaestroConfig.with(b -> b.secret(SECRET)))) {
      Binding binding = maestro.bind(here).block(LIMIT);
      System.out.println("listening");
      binding
          .connections()
          .flatMap(
              connection -> connection.receive().doOnNext(Message::close).then().onErrorComplete())
          .blockLast();
    }
  }

  private static void send(long bytes, MaestroConfig config, InetSocketAddress[] remotes) {
    try (Maestro maestro = Maestro.create(config);
        Region content = Region.allocate(bytes)) {
      Connection connection = maestro.connect(remotes).block(LIMIT);
      connection.send(content).block(LIMIT);
      connection.paths().forEach(RoutePeer::print);
      connection.close().block(LIMIT);
      System.out.println("sent " + bytes);
    }
  }

  private static void print(PathReport path) {
    RouteReport route = path.route();
    System.out.printf(
        "path %d acked=%d %s predicted=%s probed=%s shared=%s because=%s%n",
        path.id(),
        path.ackedBytes(),
        route.verdict(),
        String.join(",", route.predicted()),
        String.join(",", route.probed()),
        String.join(",", route.sharedLinks()),
        route.reason());
  }
}
