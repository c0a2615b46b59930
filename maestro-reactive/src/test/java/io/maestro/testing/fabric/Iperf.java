package io.maestro.testing.fabric;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** TCP streams of iperf3 from one host to another, each bound to a source port of its own. */
final class Iperf {
  private static final Pattern RECEIVED =
      Pattern.compile("\\s([0-9.]+) Mbits/sec\\s.*receiver", Pattern.CASE_INSENSITIVE);
  static final Duration LIMIT = Duration.ofSeconds(60);

  private Iperf() {}

  /** Starts a server on a host; it serves until it is closed. */
  static NodeProcess serve(Fabric fabric, int host, int port) throws InterruptedException {
    NodeProcess server =
        fabric.start("host" + host, "iperf3", "-s", "--forceflush", "-p", "" + port);
    server.awaitLine("Server listening", LIMIT);
    return server;
  }

  /** Runs one stream from host1 to host2 and returns what the receiver got, in Mbit/s. */
  static double stream(Fabric fabric, int port, int sourcePort, int seconds)
      throws InterruptedException {
    List<String> lines = start(fabric, port, sourcePort, seconds).awaitSuccess(LIMIT);
    return lines.stream()
        .map(RECEIVED::matcher)
        .filter(Matcher::find)
        .mapToDouble(matcher -> Double.parseDouble(matcher.group(1)))
        .findFirst()
        .orElseThrow(() -> new FabricException(String.join("\n", lines)));
  }

  /** Starts one stream from host1 to host2. */
  static NodeProcess start(Fabric fabric, int port, int sourcePort, int seconds) {
    String arguments =
        "iperf3 -f m -c %s -p %d --cport %d -t %d --connect-timeout 2000"
            .formatted(fabric.address(2, 1).getHostAddress(), port, sourcePort, seconds);
    return fabric.start("host1", arguments.split(" ", -1));
  }
}
