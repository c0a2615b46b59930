package io.maestro.control;

import io.maestro.api.ControlReport;
import io.maestro.api.ControlReport.Refusal;
import io.maestro.api.PathHealth;
import io.maestro.api.PathReport;
import io.maestro.api.PathSample;
import io.maestro.api.RouteReport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reports as JSON, with what a controller needs of them; docs/controller.md describes the format.
 */
public final class ReportJson {
  private static final int MOST_PATHS = 64;
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final PathHealth NOT_SENT =
      new PathHealth(PathHealth.Breaker.CLOSED, 0, 0, true, Optional.empty(), Optional.empty());

  private ReportJson() {}

  /** A report on the wire. */
  private record Report(String peer, boolean following, List<Path> paths, List<Refusal> refusals) {}

  private record Path(
      int id,
      String local,
      int localPort,
      String remote,
      int remotePort,
      PathReport.State state,
      double weight,
      long inFlightBytes,
      long rateBytesPerSecond,
      long rttNs,
      long ackedBytes,
      List<String> predicted,
      List<String> probed) {

    static Path of(PathReport path) {
      return new Path(
          path.id(),
          literal(path.local()),
          path.local().getPort(),
          literal(path.remote()),
          path.remote().getPort(),
          path.state(),
          path.weight(),
          path.inFlightBytes(),
          path.rateBytesPerSecond(),
          path.rttNs(),
          path.ackedBytes(),
          path.route().predicted(),
          path.route().probed());
    }

    private static String literal(InetSocketAddress address) {
      return address.isUnresolved() ? "" : address.getAddress().getHostAddress();
    }

    private static InetSocketAddress address(String literal, int port) {
      return literal.isEmpty()
          ? InetSocketAddress.createUnresolved("unknown", port)
          : new InetSocketAddress(InetAddress.ofLiteral(literal), port);
    }

    PathReport report() {
      RouteReport.Verdict verdict =
          !probed.isEmpty()
              ? RouteReport.Verdict.PROBED
              : predicted.isEmpty() ? RouteReport.Verdict.UNKNOWN : RouteReport.Verdict.PREDICTED;
      return new PathReport(
          id,
          address(local, localPort),
          address(remote, remotePort),
          state,
          weight,
          0,
          inFlightBytes,
          rateBytesPerSecond,
          rttNs,
          ackedBytes,
          0,
          PathSample.ABSENT,
          0,
          new RouteReport(predicted, probed, List.of(), verdict, ""),
          NOT_SENT);
    }
  }

  /** UTF-8. */
  public static byte[] write(ControlReport report) {
    return MAPPER.writeValueAsBytes(
        new Report(
            report.peer(),
            report.following(),
            report.paths().stream().map(Path::of).toList(),
            report.refusals()));
  }

  /**
   * Reads a report.
   *
   * @throws IllegalArgumentException when it is none; the message says why
   */
  public static ControlReport read(byte[] json) {
    try {
      Report report = MAPPER.readValue(json, Report.class);
      if (report.paths().size() > MOST_PATHS) {
        throw new IllegalArgumentException("more than %d paths".formatted(MOST_PATHS));
      }
      return new ControlReport(
          report.peer(),
          report.following(),
          report.paths().stream().map(Path::report).toList(),
          report.refusals());
    } catch (JacksonException broken) {
      throw new IllegalArgumentException("not a report: " + broken.getOriginalMessage(), broken);
    } catch (NullPointerException missing) {
      throw new IllegalArgumentException("not a report: a field is missing", missing);
    }
  }
}
