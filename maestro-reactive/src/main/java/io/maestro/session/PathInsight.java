package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.api.PathMeasurement;
import io.maestro.api.RouteReport;
import java.time.Duration;
import reactor.core.publisher.Mono;

/** What the side that made a connection can tell of its paths. Any thread. */
interface PathInsight {

  /** What is known of the route of a path. */
  RouteReport routeOf(int path);

  /** Measures what a path can carry, on the path's own route. */
  Mono<PathMeasurement> measure(int path, Duration duration);

  /** The accepting side's view. */
  static PathInsight ofAccepted() {
    RouteReport chosen = RouteReport.unknown("the connecting side chose the route");
    return new PathInsight() {
      @Override
      public RouteReport routeOf(int path) {
        return chosen;
      }

      @Override
      public Mono<PathMeasurement> measure(int path, Duration duration) {
        return Mono.error(
            new MaestroException.Unsupported(
                "only the side that connected can measure a path", null));
      }
    };
  }
}
