package io.maestro.trainer.grafana;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.metrics.MaestroMeter;
import io.maestro.trainer.metrics.MetricsServer;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.report.Interval;
import io.maestro.trainer.report.RunListener;
import io.maestro.trainer.report.SyncFigures;
import io.maestro.trainer.report.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a worker that has sent something and learnt something tells Prometheus. */
final class Scrape {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\"");

  private Scrape() {}

  /** The names of its series with their labels, those included that Prometheus adds. */
  static Map<String, Set<String>> series() throws IOException, InterruptedException {
    Map<String, Set<String>> all = new TreeMap<>();
    for (String line : text().lines().filter(line -> !line.startsWith("#")).toList()) {
      String name = line.substring(0, Math.min(end(line, '{'), end(line, ' ')));
      Set<String> labels =
          all.computeIfAbsent(name, key -> new TreeSet<>(Set.of("job", "instance")));
      Matcher found = LABEL.matcher(line);
      while (found.find()) {
        labels.add(found.group(1));
      }
    }
    // Not on systems whose kernel does not tell the marks.
    all.computeIfAbsent(
            "maestro_path_cnp_total", name -> new TreeSet<>(MaestroMeter.PATH_CNP.tags()))
        .addAll(Set.of("job", "instance"));
    return all;
  }

  private static int end(String line, char mark) {
    int at = line.indexOf(mark);
    return at < 0 ? line.length() : at;
  }

  private static String text() throws IOException, InterruptedException {
    int port = freePort();
    TrainerOptions options =
        TrainerOptions.parse(List.of("--role=worker", "--peers=127.0.0.1:1", "--metrics=" + port));
    try (MetricsServer server = MetricsServer.start(options).orElseThrow();
        Maestro maestro =
            server.equip(Maestro.builder(MaestroConfig.with(b -> b.paths(2)))).create()) {
      learn(server.listen(new Terminal(new PrintStream(OutputStream.nullOutputStream()))));
      send(maestro);
      get(port);
      return get(port);
    }
  }

  private static void learn(RunListener listener) {
    listener.started();
    listener.stepped(1, 0.5);
    listener.ended(new Interval(Interval.Unit.EPOCH, 1, 1, 0.5, 0.9, SyncFigures.none(), 1));
  }

  private static void send(Maestro maestro) {
    var loopback = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    Binding binding = maestro.bind(loopback).block(LIMIT);
    binding.connections().subscribe(c -> c.receive().subscribe(Message::close));
    Connection connection =
        maestro.connect(binding.addresses().toArray(InetSocketAddress[]::new)).block(LIMIT);
    try (Region region = Region.allocate(16 << 20)) {
      connection.send(region).block(LIMIT);
    }
  }

  private static String get(int port) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d/metrics".formatted(port));
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(uri).timeout(LIMIT).build(),
              HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
          .body();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }
}
