package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.api.PathMeasurement;
import io.maestro.api.RouteReport;
import io.maestro.net.PathPlan;
import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The routes of the paths that this side has connected, and measurements of them. Any thread. */
final class Measurements implements PathInsight {
  private static final int SEND_DEPTH = 32;
  private static final int READ_DEPTH = 4;
  private static final long SPARE_NS = 5_000_000_000L;
  private static final Duration LEAST = Duration.ofMillis(10);
  private static final Duration MOST = Duration.ofSeconds(10);

  private final Endpoint endpoint;
  private final Planning planning;
  private final Session session;
  private final SessionKeys keys;
  private final EventLoop loop;

  Measurements(Endpoint endpoint, Planning planning, Session session, SessionKeys keys) {
    this.endpoint = endpoint;
    this.planning = planning;
    this.session = session;
    this.keys = keys;
    this.loop = session.loop();
  }

  @Override
  public RouteReport routeOf(int path) {
    return planning.plans().routeOf(path);
  }

  @Override
  public Mono<PathMeasurement> measure(int path, Duration duration) {
    return Mono.create(
        sink -> {
          requireRange(path, duration);
          boolean alive =
              session.later(
                  () ->
                      planning.beside(path, paths(), plan -> connect(path, plan, duration, sink)));
          if (!alive) {
            sink.error(Failures.closed(session.context().peer()));
          }
        });
  }

  private int paths() {
    return session.context().parameters().paths();
  }

  private void requireRange(int path, Duration duration) {
    if (path < 0 || path >= paths()) {
      throw new IllegalArgumentException(
          "there is no path %d, only 0 to %d".formatted(path, paths() - 1));
    }
    if (duration.compareTo(LEAST) < 0 || duration.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "a measurement takes from %s to %s, not %s".formatted(LEAST, MOST, duration));
    }
  }

  private void connect(int path, PathPlan plan, Duration duration, MonoSink<PathMeasurement> sink) {
    if (!session.isOpen()) {
      sink.error(Failures.closed(session.context().peer()));
      return;
    }
    ByteBuffer request = keys.meter();
    ProtectionDomain domain = endpoint.device().allocateDomain();
    PathMeter meter =
        new PathMeter(
            loop,
            domain,
            duration.toNanos(),
            answer -> keys.readMeterAccept(request, answer),
            (result, failure) -> end(path, plan, result, failure, sink));
    EventLoop.Timer limit = loop.schedule(duration.toNanos() + SPARE_NS, meter::cancel);
    sink.onDispose(
        () -> {
          limit.cancel();
          meter.cancel();
        });
    endpoint
        .device()
        .connect(
            new ConnectOptions(
                plan.local(),
                plan.remote(),
                new QpOptions(domain, loop, SEND_DEPTH, 1, READ_DEPTH),
                request,
                SPARE_NS),
            meter);
  }

  private void end(
      int path,
      PathPlan plan,
      PathMeter.@Nullable Result result,
      @Nullable Throwable failure,
      MonoSink<PathMeasurement> sink) {
    if (result == null) {
      Throwable cause =
          failure == null ? new MaestroException.Closed("the measurement ended") : failure;
      sink.error(
          Failures.translate(
              "cannot measure path %d from %s to %s".formatted(path, plan.local(), plan.remote()),
              cause));
      return;
    }
    RouteReport own = routeOf(path);
    sink.success(
        new PathMeasurement(
            result.local(),
            result.remote(),
            plan.route(),
            isSame(own, plan.route()),
            result.rttNs(),
            result.rate(),
            result.bytes()));
  }

  private static boolean isSame(RouteReport one, RouteReport other) {
    boolean known = one.verdict() != RouteReport.Verdict.UNKNOWN;
    return known && nodes(one).equals(nodes(other));
  }

  private static List<String> nodes(RouteReport route) {
    return route.probed().isEmpty() ? route.predicted() : route.probed();
  }
}
