package io.maestro.bench.fabric;

import io.maestro.Maestro;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import io.maestro.api.Routing;
import io.maestro.verbs.SystemClock;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The program of a sending host: sends messages and prints what it sees, a line for each thing, the
 * times in milliseconds from the connection's start.
 *
 * <pre>
 * connected MS                      how long connecting took
 * started NS                        the machine's monotonic clock at the first message
 * path ID LOCAL REMOTE              where a path goes
 * sent STAMP START_MS END_MS BYTES  a message that has arrived
 * sample MS BYTES/STATE…            acknowledged bytes and state of each path
 * event MS EVENT                    what happened to a path
 * end
 * </pre>
 *
 * <p>Arguments: routes ({@code selected} or {@code ecmp}), paths, MiB of a message, messages under
 * way at once, seconds to go on sending, port, and the addresses: the local ones, a dash, the
 * remote ones.
 */
final class Sender {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration PERIOD = Duration.ofMillis(5);

  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
  private final long bytes;
  private final Duration duration;
  private volatile long startNs;
  private long stamp;

  private Sender(long bytes, Duration duration) {
    this.bytes = bytes;
    this.duration = duration;
  }

  /** What all ends of the experiments have in common. */
  static MaestroConfig config(UnaryOperator<MaestroConfig.Builder> steps) {
    return MaestroConfig.with(b -> steps.apply(b.secret("experiment")));
  }

  /** Runs for the given time. */
  public static void main(String[] arguments) {
    List<String> addresses = List.of(arguments).subList(6, arguments.length);
    int dash = addresses.indexOf("-");
    int port = Integer.parseInt(arguments[5]);
    InetSocketAddress[] remotes =
        literals(addresses.subList(dash + 1, addresses.size())).stream()
            .map(address -> new InetSocketAddress(address, port))
            .toArray(InetSocketAddress[]::new);
    int paths = Integer.parseInt(arguments[1]);
    Routing routing = arguments[0].equals("selected") ? Routing.PROBE : Routing.OFF;
    MaestroConfig config =
        config(
            b ->
                b.paths(paths)
                    .localAddresses(literals(addresses.subList(0, dash)))
                    .routing(routing));
    new Sender(Long.parseLong(arguments[2]) << 20, Duration.ofSeconds(Long.parseLong(arguments[4])))
        .run(config, remotes, Integer.parseInt(arguments[3]));
  }

  private static List<InetAddress> literals(List<String> addresses) {
    return addresses.stream().map(InetAddress::ofLiteral).collect(Collectors.toList());
  }

  private void run(MaestroConfig config, InetSocketAddress[] remotes, int depth) {
    startNs = SystemClock.INSTANCE.nanoTime();
    try (Maestro maestro = Maestro.create(config)) {
      Connection connection = Objects.requireNonNull(maestro.connect(remotes).block(LIMIT));
      lines.add("connected %.1f".formatted(ms()));
      connection
          .paths()
          .forEach(p -> lines.add("path %d %s %s".formatted(p.id(), p.local(), p.remote())));
      connection.pathEvents().subscribe(event -> lines.add("event %.1f %s".formatted(ms(), event)));
      startNs = SystemClock.INSTANCE.nanoTime();
      System.out.println("started " + startNs);
      Mono<Void> sending =
          Flux.range(0, depth).flatMap(any -> sends(connection), depth).then().cache();
      Flux.interval(Duration.ZERO, PERIOD)
          .takeUntilOther(sending)
          .doOnNext(tick -> lines.add(sample(connection.paths())))
          .blockLast(LIMIT);
      sending.block(LIMIT);
      lines.add("end");
      lines.forEach(System.out::println);
    }
  }

  /** One message after another; two of these keep the paths busy. */
  private Mono<Void> sends(Connection connection) {
    Region region = Region.allocate(bytes);
    Pattern.fill(region.segment(), Long.BYTES);
    return Mono.defer(() -> send(connection, region))
        .repeat(() -> ms() < duration.toMillis())
        .then();
  }

  private Mono<Void> send(Connection connection, Region region) {
    long mine = nextStamp();
    double start = ms();
    region.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, mine);
    return connection
        .send(region)
        .doOnSuccess(
            done -> lines.add("sent %d %.1f %.1f %d".formatted(mine, start, ms(), region.size())));
  }

  private synchronized long nextStamp() {
    return ++stamp;
  }

  private double ms() {
    return (SystemClock.INSTANCE.nanoTime() - startNs) / 1e6;
  }

  private String sample(List<PathReport> paths) {
    return "sample %.1f %s"
        .formatted(
            ms(),
            paths.stream()
                .map(path -> path.ackedBytes() + "/" + path.state())
                .collect(Collectors.joining(" ")));
  }
}
