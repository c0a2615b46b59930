package io.maestro.boot.actuate;

import io.maestro.api.PathHealth;
import io.maestro.api.PathReport;
import io.maestro.api.RouteReport;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A path as JSON: the names and units are those of a report to a controller, and more. */
record PathView(
    int id,
    String local,
    int localPort,
    String remote,
    int remotePort,
    PathReport.State state,
    double weight,
    long windowBytes,
    long inFlightBytes,
    long rateBytesPerSecond,
    long rttNs,
    long ackedBytes,
    long ackedChunks,
    long marks,
    int queuedChunks,
    List<String> predicted,
    List<String> probed,
    RouteReport.Verdict verdict,
    PathHealth.Breaker breaker,
    int generation,
    long failovers,
    boolean redundant,
    @Nullable String lastCause,
    @Nullable Long nextAttemptMs) {

  static PathView of(PathReport path) {
    PathHealth health = path.health();
    return new PathView(
        path.id(),
        literal(path.local()),
        path.local().getPort(),
        literal(path.remote()),
        path.remote().getPort(),
        path.state(),
        path.weight(),
        path.windowBytes(),
        path.inFlightBytes(),
        path.rateBytesPerSecond(),
        path.rttNs(),
        path.ackedBytes(),
        path.ackedChunks(),
        path.marks(),
        path.queuedChunks(),
        path.route().predicted(),
        path.route().probed(),
        path.route().verdict(),
        health.breaker(),
        health.generation(),
        health.failovers(),
        health.redundant(),
        health.lastCause().orElse(null),
        health.nextAttempt().map(Duration::toMillis).orElse(null));
  }

  private static String literal(InetSocketAddress address) {
    return address.isUnresolved() ? "" : address.getAddress().getHostAddress();
  }
}
