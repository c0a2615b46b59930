package io.maestro.testing.fabric;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** TCP streams of iperf3 from one host to another, each bound to a source port of its own. */
final class Iperf {
  private static final String SERVER = "Server output:";
  private static final Pattern SECOND =
      Pattern.compile("\\.00-[0-9]+\\.00 +sec .* ([0-9.]+) Mbits/sec *$");
  static final Duration LIMIT = Duration.ofSeconds(60);

  private Iperf() {}

  /** Starts a server on a host; it serves until it is closed. */
  static NodeProcess serve(Fabric fabric, int host, int port) throws InterruptedException {
    NodeProcess server =
        fabric.start("host" + host, "iperf3", "-s", "--forceflush", "-p", "" + port);
    server.awaitLine("Server listening", LIMIT);
    return server;
  }

  /**
   * Runs one stream from host1 to host2 and returns the median of what the receiver got in each
   * second, in Mbit/s: a machine that stands still for half a second says nothing about the link.
   */
  static double stream(Fabric fabric, int port, int sourcePort, int seconds)
      throws InterruptedException {
    List<String> lines =
        start(fabric, port, sourcePort, seconds, "--get-server-output").awaitSuccess(LIMIT);
    double[] rates =
        lines.stream()
            .dropWhile(line -> !line.contains(SERVER))
            .map(SECOND::matcher)
            .filter(Matcher::find)
            .mapToDouble(matcher -> Double.parseDouble(matcher.group(1)))
            .sorted()
            .toArray();
    if (rates.length < seconds - 1) {
      throw new FabricException(String.join("\n", lines));
    }
    return rates[rates.length / 2];
  }

  /** Starts one stream from host1 to host2. */
  static NodeProcess start(
      Fabric fabric, int port, int sourcePort, int seconds, String... options) {
    String arguments =
        "iperf3 -f m -c %s -p %d --cport %d -t %d --connect-timeout 2000"
            .formatted(fabric.address(2, 1).getHostAddress(), port, sourcePort, seconds);
    return fabric.start(
        "host1",
        Stream.concat(Stream.of(arguments.split(" ", -1)), Stream.of(options))
            .toArray(String[]::new));
  }
}
