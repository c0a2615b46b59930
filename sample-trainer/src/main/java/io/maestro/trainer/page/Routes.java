package io.maestro.trainer.page;

import io.maestro.trainer.fault.Fault;
import io.maestro.trainer.report.PathFigures;
import io.maestro.trainer.report.ProcessEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Makes rates of what the processes count. Used under the lock of {@link RunModel}. */
final class Routes {

  private static final double NS_PER_SECOND = 1e9;
  private static final double NS_PER_MS = 1e6;

  /**
   * Weight of the newest of two rates: calm to look at, and a cut is still seen within a second.
   */
  private static final double NEWEST = 0.4;

  /** A process that says nothing for this time carries nothing. */
  private static final long SILENCE_NS = 1_500_000_000L;

  /** From the best to the worst. */
  private static final List<String> STATES = List.of("UP", "CONNECTING", "PROBING", "DOWN");

  private static final List<String> BREAKERS =
      List.of("CLOSED", "DISABLED", "HALF_OPEN", "OPEN", "FORCED_OPEN");

  private final Map<Key, Route> routes = new HashMap<>();

  private record Key(String child, int path, int serverPort) {}

  private record Route(
      String child, PathFigures figures, double bytesPerSecond, long atNs, long heardNs) {
    boolean isWorkers() {
      return child.startsWith("worker");
    }
  }

  void heard(String child, ProcessEvent.Sampled sampled, long nowNs) {
    // The first of a server's processes that connect to the same port have the same key: summed.
    Map<Key, PathFigures> sums = new HashMap<>();
    for (PathFigures path : sampled.paths()) {
      sums.merge(new Key(child, path.path(), path.serverPort()), path, Routes::sum);
    }
    sums.forEach(
        (key, path) ->
            routes.merge(key, new Route(child, path, 0, sampled.atNs(), nowNs), Routes::follow));
  }

  void forget(String child) {
    routes.keySet().removeIf(key -> key.child().equals(child));
  }

  private static Route follow(Route before, Route now) {
    double seconds = (now.atNs - before.atNs) / NS_PER_SECOND;
    long bytes = Math.max(0, now.figures.ackedBytes() - before.figures.ackedBytes());
    double rate = seconds <= 0 ? 0 : bytes / seconds;
    double calm = NEWEST * rate + (1 - NEWEST) * before.bytesPerSecond;
    return new Route(now.child, now.figures, calm, now.atNs, now.heardNs);
  }

  private static PathFigures sum(PathFigures a, PathFigures b) {
    return new PathFigures(
        a.path(),
        a.virtualNic(),
        a.serverPort(),
        worst(STATES, a.state(), b.state()),
        worst(BREAKERS, a.breaker(), b.breaker()),
        (a.weight() + b.weight()) / 2,
        a.ackedBytes() + b.ackedBytes(),
        a.inFlightBytes() + b.inFlightBytes(),
        Math.max(a.rttNs(), b.rttNs()),
        a.failovers() + b.failovers());
  }

  private static String worst(List<String> order, String a, String b) {
    return order.indexOf(a) >= order.indexOf(b) ? a : b;
  }

  /** The address by which faults name a path; empty when nothing is known of it. */
  String virtualNic(int path) {
    return routes.values().stream()
        .filter(route -> route.figures.path() == path)
        .map(route -> route.figures.virtualNic())
        .findFirst()
        .orElse("");
  }

  /** Each path of all processes together, by number. */
  List<View.PathView> paths(Function<String, Fault> faults, long nowNs) {
    Map<Integer, List<Route>> byPath = new TreeMap<>();
    for (Route route : routes.values()) {
      byPath.computeIfAbsent(route.figures.path(), path -> new ArrayList<>()).add(route);
    }
    List<View.PathView> all = new ArrayList<>();
    byPath.forEach((path, parts) -> all.add(view(path, parts, faults, nowNs)));
    return all;
  }

  private static View.PathView view(
      int path, List<Route> parts, Function<String, Fault> faults, long nowNs) {
    double rate = parts.stream().mapToDouble(part -> rate(part, nowNs)).sum();
    List<PathFigures> workers =
        parts.stream().filter(Route::isWorkers).map(Route::figures).toList();
    List<PathFigures> known =
        workers.isEmpty() ? parts.stream().map(Route::figures).toList() : workers;
    String nic = known.getFirst().virtualNic();
    return new View.PathView(
        path,
        nic,
        rate,
        known.stream().mapToDouble(PathFigures::weight).average().orElse(0),
        known.stream().map(PathFigures::state).reduce("UP", (a, b) -> worst(STATES, a, b)),
        known.stream().map(PathFigures::breaker).reduce("CLOSED", (a, b) -> worst(BREAKERS, a, b)),
        known.stream().mapToLong(PathFigures::rttNs).max().orElse(0) / NS_PER_MS,
        known.stream().mapToLong(PathFigures::failovers).sum(),
        faults.apply(nic));
  }

  /** The routes of the workers, in order. */
  List<View.Route> ofWorkers(Function<Integer, Integer> serverOfPort, long nowNs) {
    return routes.values().stream()
        .filter(Route::isWorkers)
        .map(
            route ->
                new View.Route(
                    route.child,
                    serverOfPort.apply(route.figures.serverPort()),
                    route.figures.path(),
                    rate(route, nowNs),
                    route.figures.state()))
        .sorted(
            Comparator.comparing(View.Route::worker)
                .thenComparingInt(View.Route::server)
                .thenComparingInt(View.Route::path))
        .toList();
  }

  private static double rate(Route route, long nowNs) {
    return nowNs - route.heardNs > SILENCE_NS ? 0 : route.bytesPerSecond;
  }
}
