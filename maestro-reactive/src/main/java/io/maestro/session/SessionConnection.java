package io.maestro.session;

import io.maestro.api.Connection;
import io.maestro.api.Message;
import io.maestro.api.PathEvent;
import io.maestro.api.PathMeasurement;
import io.maestro.api.PathReport;
import io.maestro.api.PathSample;
import io.maestro.api.Region;
import io.maestro.api.RemoteRegion;
import io.maestro.api.SendOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** What users see of a session. Any thread; hands everything to the session's loop. */
final class SessionConnection implements Connection {
  /** Regions of one source that are on their way at once: enough to hide a round trip. */
  private static final int CONCURRENT_SENDS = 16;

  private final Session session;
  private final PathInsight insight;
  private final long sendTimeoutNs;

  SessionConnection(Session session, PathInsight insight, long sendTimeoutNs) {
    this.session = session;
    this.insight = insight;
    this.sendTimeoutNs = sendTimeoutNs;
  }

  @Override
  public Mono<Void> send(Region message, SendOptions options) {
    Mono<Void> send = Mono.create(sink -> submit(message, options, sink));
    return session
        .context()
        .observed()
        .send(this, message.size(), send)
        .publishOn(session.context().delivery());
  }

  private void submit(Region region, SendOptions options, MonoSink<Void> sink) {
    long timeoutNs = options.timeout().isZero() ? sendTimeoutNs : options.timeout().toNanos();
    long deadlineNs = session.loop().nanoTime() + timeoutNs;
    OutMessage message = new OutMessage(region, options, deadlineNs, sink);
    sink.onCancel(() -> session.later(() -> session.cancel(message)));
    if (!session.later(() -> session.submit(message))) {
      message.fail(Failures.closed(peer()));
      message.end();
    }
  }

  @Override
  public Mono<Void> send(Publisher<Region> messages) {
    return Flux.from(messages)
        .doOnDiscard(Region.class, Region::release)
        .flatMap(region -> send(region).doFinally(signal -> region.release()), CONCURRENT_SENDS)
        .then();
  }

  @Override
  public Flux<Message> receive() {
    return session.messages();
  }

  @Override
  public RemoteRegion export(Region region, Set<RemoteAccess> access) {
    return session.oneSided().export(region, access);
  }

  @Override
  public void revoke(RemoteRegion handle) {
    session.oneSided().revoke(handle);
  }

  @Override
  public Mono<Void> write(Region source, RemoteRegion target, long offset) {
    return move(new OneSided.Request(Transfer.Kind.WRITE, source, target, offset));
  }

  @Override
  public Mono<Void> read(RemoteRegion source, long offset, Region target) {
    return move(new OneSided.Request(Transfer.Kind.READ, target, source, offset));
  }

  private Mono<Void> move(OneSided.Request request) {
    return Mono.<Void>create(
            sink -> {
              request.check();
              if (!session.later(() -> session.move(request, sink))) {
                sink.error(Failures.closed(peer()));
              }
            })
        .publishOn(session.context().delivery());
  }

  @Override
  public List<PathReport> paths() {
    return session.failover().report().stream()
        .map(report -> report.withRoute(insight.routeOf(report.id())))
        .toList();
  }

  @Override
  public long credits() {
    return session.credits();
  }

  @Override
  public Flux<PathEvent> pathEvents() {
    return session.failover().events().flux(session.context().delivery());
  }

  @Override
  public Flux<PathSample> samples() {
    return session.fanOut().samples().publishOn(session.context().delivery(), 1);
  }

  /** The session behind the connection, for tests of this package. */
  Session session() {
    return session;
  }

  @Override
  public Mono<PathMeasurement> measure(int path, Duration duration) {
    return insight.measure(path, duration).publishOn(session.context().delivery());
  }

  @Override
  public String peer() {
    return session.context().peer();
  }

  @Override
  public Mono<Void> close() {
    return Mono.defer(
        () -> {
          session.later(session::close);
          return session.onClose().onErrorComplete().publishOn(session.context().delivery());
        });
  }

  @Override
  public Mono<Void> onClose() {
    return session.onClose().publishOn(session.context().delivery());
  }

  @Override
  public String toString() {
    return "Connection[" + peer() + "]";
  }
}
