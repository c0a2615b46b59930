package io.maestro.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The same bytes per second by iperf3, for comparison. */
final class Iperf {
  private static final int PORT = 15_201;

  private Iperf() {}

  /** Both ends' rate and processor time; throws when iperf3 is not installed. */
  static Result run(int streams, int seconds) throws IOException, InterruptedException {
    Process server =
        new ProcessBuilder("iperf3", "-s", "-1", "-p", "" + PORT)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      String report = "";
      while (!report.contains("sum_received")) {
        report = client(streams, seconds);
      }
      double rate = number(report, "\"sum_received\".*?\"bits_per_second\":\\s*([\\d.e+]+)") / 8;
      double cpu =
          number(report, "\"host_total\":\\s*([\\d.e+]+)")
              + number(report, "\"remote_total\":\\s*([\\d.e+]+)");
      return new Result(rate / Result.GIB, cpu / 100 / (rate / Result.GIB));
    } finally {
      server.destroy();
      server.waitFor();
    }
  }

  private static String client(int streams, int seconds) throws IOException {
    Process client =
        new ProcessBuilder(
                "iperf3",
                "-c",
                "127.0.0.1",
                "-p",
                "" + PORT,
                "-t",
                "" + seconds,
                "-J",
                "-P",
                "" + streams)
            .redirectErrorStream(true)
            .start();
    return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static double number(String report, String pattern) {
    return Pattern.compile(pattern, Pattern.DOTALL)
        .matcher(report)
        .results()
        .map((MatchResult match) -> Double.parseDouble(match.group(1)))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + pattern + " in iperf3's report"));
  }
}
