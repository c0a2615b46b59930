package io.maestro.path;

import io.maestro.api.PathHealth;
import io.maestro.api.PathReport;
import io.maestro.api.PathSample;
import io.maestro.api.RouteReport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/** Reports and samples of paths, for what decides by them. */
final class Reports {
  private static final PathHealth HEALTH =
      new PathHealth(PathHealth.Breaker.CLOSED, 0, 0, true, Optional.empty(), Optional.empty());

  private Reports() {}

  /** A path that is up. */
  static PathReport path(int id, InetAddress local, InetAddress remote, RouteReport route) {
    return new PathReport(
        id,
        new InetSocketAddress(local, 20_000 + id),
        new InetSocketAddress(remote, 7000),
        PathReport.State.UP,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        route,
        HEALTH);
  }

  /** Paths from 10.0.0.{id} to 10.0.1.{id modulo 2} over spine{id modulo 4}. */
  static List<PathReport> paths(int count) {
    List<PathReport> paths = new ArrayList<>();
    for (int id = 0; id < count; id++) {
      InetAddress local = InetAddress.ofLiteral("10.0.0." + id);
      InetAddress remote = InetAddress.ofLiteral("10.0.1." + id % 2);
      List<String> hops = List.of("leaf1", "spine" + id % 4, "leaf2");
      RouteReport.Verdict predicted = RouteReport.Verdict.PREDICTED;
      paths.add(
          path(id, local, remote, new RouteReport(hops, List.of(), List.of(), predicted, "")));
    }
    return paths;
  }

  /** A sample of each path after a millisecond in which nothing happened. */
  static List<PathSample> samples(int count, IntPredicate usable) {
    List<PathSample> samples = new ArrayList<>();
    for (int id = 0; id < count; id++) {
      samples.add(new PathSample(id, usable.test(id), 1_000_000, 0, 0, 1000, 1, 1, 0, 0, 0, 0, 0));
    }
    return samples;
  }
}
