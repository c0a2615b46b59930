package io.maestro.session;

import io.maestro.api.Connection;
import io.maestro.api.ControlReport;
import io.maestro.api.ControlReport.Refusal;
import io.maestro.api.MaestroConfig;
import io.maestro.api.PathController;
import io.maestro.api.PathDirective;
import io.maestro.api.PathEvent;
import io.maestro.path.Backoff;
import io.maestro.path.ControllerDriven;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * Talks with the controller of one connection: brings it reports and the balancer its directives,
 * notices when it is lost, and calls it again. Session's loop only; the controller's own code runs
 * on the delivery scheduler.
 */
final class Steering {
  private static final Logger LOG = LoggerFactory.getLogger(Steering.class);
  private static final Backoff PAUSE = new Backoff(100_000_000, 2_000_000_000);
  private static final int MOST_REFUSALS = 64;
  private static final int TICKS_PER_SILENCE = 5;
  private static final long MOST_TICK_NS = 200_000_000;

  private final Session session;
  private final Connection connection;
  private final Parts parts;
  private final ControllerDriven balancer;
  private final RandomGenerator jitter;
  private final long silenceNs;
  private final List<Refusal> refusals = new ArrayList<>();
  private List<Integer> overruled = List.of();
  private @Nullable Conversation current;
  private int attempt;
  private long heardNs;
  private boolean over;

  /** Who steers what, and how far. */
  record Parts(
      PathController controller, ControllerDriven balancer, MaestroConfig.Control control) {}

  Steering(Session session, Connection connection, Parts parts) {
    this.session = session;
    this.connection = connection;
    this.parts = parts;
    balancer = parts.balancer();
    silenceNs = parts.control().silence().toNanos();
    jitter = new SplittableRandom(nowNs());
  }

  private long nowNs() {
    return session.loop().nanoTime();
  }

  void begin() {
    session.onClose().subscribe(done -> {}, failed -> end(), this::end);
    converse();
    tick();
  }

  private void end() {
    over = true;
    Conversation last = current;
    if (last != null) {
      last.stop();
    }
  }

  /** One subscription to the controller. */
  private final class Conversation extends BaseSubscriber<PathDirective> {
    private final Sinks.Many<ControlReport> reports = Sinks.many().replay().latest();

    void start() {
      var delivery = session.context().delivery();
      Flux<ControlReport> latest = reports.asFlux().onBackpressureLatest().publishOn(delivery, 1);
      Flux.defer(() -> parts.controller().directives(latest))
          .subscribeOn(delivery)
          .cancelOn(delivery)
          .subscribe(this);
    }

    void stop() {
      reports.tryEmitComplete();
      cancel();
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      request(1);
    }

    @Override
    protected void hookOnNext(PathDirective directive) {
      session.later(
          () -> {
            hear(this, directive);
            request(1);
          });
    }

    @Override
    protected void hookOnError(Throwable failure) {
      session.later(() -> lost(this, String.valueOf(failure)));
    }

    @Override
    protected void hookOnComplete() {
      session.later(() -> lost(this, "it has ended its directives"));
    }
  }

  private void converse() {
    if (over) {
      return;
    }
    heardNs = nowNs();
    Conversation next = new Conversation();
    current = next;
    report(next);
    next.start();
  }

  private void hear(Conversation speaker, PathDirective directive) {
    if (over || speaker != current) {
      return;
    }
    heardNs = nowNs();
    attempt = 0;
    if (!balancer.isFollowing()) {
      balancer.follow();
      balancer.paths(connection.paths());
      LOG.info("the connection to {} follows its controller", connection.peer());
      emit(new PathEvent.Steered(PathEvent.CONNECTION, nowNs(), true, ""));
    }
    balancer.accept(directive).forEach(this::refuse);
    if (!(directive instanceof PathDirective.Heartbeat)) {
      replan();
    }
  }

  private void replan() {
    session.fanOut().balance().replan();
    noteOverruled();
  }

  private void noteOverruled() {
    List<Integer> now = balancer.overruled();
    for (int path : now) {
      if (!overruled.contains(path)) {
        int floor = parts.control().floor();
        refuse(new Refusal(path, "it stays usable: fewer than %d would be".formatted(floor)));
      }
    }
    overruled = now;
  }

  private void refuse(Refusal refusal) {
    if (refusals.size() < MOST_REFUSALS) {
      refusals.add(refusal);
    }
    emit(new PathEvent.Refused(refusal.path(), nowNs(), refusal.reason()));
  }

  private void emit(PathEvent event) {
    session.failover().events().emit(event);
  }

  private void lost(Conversation speaker, String cause) {
    if (over || speaker != current) {
      return;
    }
    current = null;
    speaker.stop();
    if (balancer.isFollowing()) {
      balancer.leave();
      replan();
      LOG.warn(
          "the connection to {} has lost its controller and decides for itself: {}",
          connection.peer(),
          cause);
      emit(new PathEvent.Steered(PathEvent.CONNECTION, nowNs(), false, cause));
    } else {
      LOG.debug("no controller for the connection to {}: {}", connection.peer(), cause);
    }
    attempt++;
    schedule(PAUSE.delayNs(attempt, 0, jitter.nextDouble()), this::converse);
  }

  private void schedule(long delayNs, Runnable task) {
    session.loop().schedule(delayNs, () -> session.later(task));
  }

  /** Reports, and looks whether the controller is still there. */
  private void tick() {
    if (over) {
      return;
    }
    Conversation speaker = current;
    if (speaker != null && nowNs() - heardNs >= silenceNs) {
      lost(speaker, "it was silent for %d ms".formatted((nowNs() - heardNs) / 1_000_000));
    } else if (speaker != null) {
      if (balancer.isFollowing() && balancer.paths(connection.paths())) {
        replan();
      }
      noteOverruled();
      report(speaker);
    }
    schedule(Math.min(silenceNs / TICKS_PER_SILENCE, MOST_TICK_NS), this::tick);
  }

  private void report(Conversation listener) {
    listener.reports.tryEmitNext(
        new ControlReport(connection.peer(), balancer.isFollowing(), connection.paths(), refusals));
    refusals.clear();
  }
}
