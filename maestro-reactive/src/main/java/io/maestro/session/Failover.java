package io.maestro.session;

import io.maestro.api.PathEvent;
import io.maestro.api.PathReport;
import io.maestro.path.PathBreaker;
import io.maestro.path.StallRule;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paths of a session as they come, fall silent, go, and come again; each has a circuit breaker.
 * Session's loop only, but {@link #report}.
 */
final class Failover {
  private static final Logger LOG = LoggerFactory.getLogger(Failover.class);

  /** Attempts in a row that met nobody, on every path: the peer's process is gone. */
  private static final int REFUSALS = 2;

  private final SessionContext context;
  private final FailoverOptions options;
  private final FailoverHost host;
  private final SessionEvents events;
  private final PathTable paths;
  private final PathLoss loss;
  private final EventLoop loop;
  private final AtomicReferenceArray<@Nullable PathVitals> all =
      new AtomicReferenceArray<>(SessionParameters.MAX_PATHS);
  private final PathEvents told = new PathEvents();
  private final StallWatch watch;
  private final Revival revival;
  private final Outage outage;
  private final String names;

  Failover(SessionContext context, FailoverOptions options, FailoverHost host, Parts parts) {
    this.context = context;
    this.options = options;
    this.host = host;
    this.events = parts.events();
    this.paths = parts.paths();
    this.loss = parts.loss();
    this.loop = context.loop();
    this.watch = new StallWatch(paths, loop, options.stallNs() / StallRule.LOOKS, this::onMoved);
    this.revival = new Revival(options, host, events, paths, this::carry);
    this.outage = new Outage(context, host, options.reconnectNs());
    this.names = Breakers.prefix(context.peer());
  }

  /** What it works on and with. */
  record Parts(PathTable paths, PathLoss loss, SessionEvents events) {}

  PathEvents events() {
    return told;
  }

  private PathVitals vitals(int id) {
    PathVitals known = all.get(id);
    if (known != null) {
      return known;
    }
    PathBreaker breaker = new PathBreaker(names + id, options.breakers());
    breaker.onTransition(() -> host.later(() -> obey(id)));
    PathVitals made = new PathVitals(id, breaker);
    all.set(id, made);
    return made;
  }

  /** Takes a path before it is connected; an earlier generation of it has closed. */
  void add(Path path) {
    vitals(path.id()).connecting(path.generation());
    paths.add(path);
    watch.added(path);
  }

  /** Whether a path has closed, and can touch memory no more. */
  boolean isGone(Path path) {
    return loss.isGone(path);
  }

  /** There may be work under way. */
  void busy() {
    watch.busy();
  }

  /** The path has asked its peer for a sign of life. */
  void onPinged(Path path) {
    path.look();
    watch.busy();
  }

  // ---- up

  void onConnected(Path path, ByteBuffer privateData) {
    PathVitals vitals = vitals(path.id());
    if (!events.onPathConnected(path, privateData)) {
      path.lose(
          new VerbsException(
              VerbsException.Kind.REJECTED, "the peer does not know the session's secret"));
      return;
    }
    vitals.breaker().onReconnected(loop.nanoTime());
    if (vitals.breaker().allowsData()) {
      carry(path);
    } else {
      vitals.probing();
      LOG.debug("path {} to {} is being probed", path.id(), context.peer());
      told.emit(new PathEvent.Probing(path.id(), loop.nanoTime(), path.generation()));
      revival.probe(path, vitals);
    }
  }

  private void carry(Path path) {
    vitals(path.id()).up();
    paths.up(path);
    outage.over();
    told.emit(new PathEvent.Up(path.id(), loop.nanoTime(), path.generation()));
    if (path.generation() > 0) {
      LOG.info("path {} to {} is back; {} are up", path.id(), context.peer(), paths.countUp());
    }
  }

  /** The session is open: what did not come up at first is tried again. */
  void opened() {
    forEach(revival::plan);
  }

  private void forEach(Consumer<PathVitals> action) {
    for (int id = 0; id < all.length(); id++) {
      PathVitals vitals = all.get(id);
      if (vitals != null) {
        action.accept(vitals);
      }
    }
  }

  // ---- silent

  private void onMoved(Path path) {
    int id = path.id();
    if (paths.countUp() > 1) {
      vitals(id).breaker().onAcked(path.progress().rttNs(), loop.nanoTime());
    }
    if (paths.isSuspended(id)) {
      paths.suspend(id, false);
      told.emit(new PathEvent.Up(id, loop.nanoTime(), path.generation()));
      host.later(() -> {});
    }
  }

  /** A path has made no progress for half of its limit or longer. */
  void onSilent(Path path) {
    int id = path.id();
    if (paths.get(id) != path || loss.isGone(path)) {
      return;
    }
    PathProgress.Look look = path.progress().look();
    long nowNs = loop.nanoTime();
    double flaps = vitals(id).breaker().flaps(nowNs);
    long limitNs = StallRule.afterFlapsNs(look.limitNs(), flaps);
    boolean othersMove = watch.othersMoved(id, nowNs - look.limitNs() / 2);
    switch (StallRule.judge(look.silentNs(), limitNs, look.wire(), othersMove)) {
      case NONE -> {}
      case ASK_OTHERS -> watch.askOthers(id);
      case SUSPEND -> suspend(path);
      case LOST -> {
        paths.suspend(id, true);
        vitals(id).lost();
        path.lose(stalled(path, look));
      }
    }
  }

  private void suspend(Path path) {
    if (paths.isUp(path.id()) && !paths.isSuspended(path.id())) {
      paths.suspend(path.id(), true);
      loss.hedge(path);
      told.emit(new PathEvent.Suspended(path.id(), loop.nanoTime()));
      host.later(() -> {});
    }
  }

  private static VerbsException stalled(Path path, PathProgress.Look look) {
    String wire =
        look.wire() == StallRule.Wire.STUCK
            ? "the peer's network stack acknowledges nothing"
            : "while other paths did";
    return new VerbsException(
        VerbsException.Kind.TIMED_OUT,
        "path %d from %s to %s made no progress for %d ms, %s: check its links"
            .formatted(
                path.id(),
                path.progress().local(),
                path.progress().remote(),
                look.silentNs() / 1_000_000,
                wire));
  }

  /** The breaker's state has changed, perhaps by its registry's holder or by slow chunks. */
  private void obey(int id) {
    Path path = paths.get(id);
    if (path != null && paths.isUp(id) && !vitals(id).breaker().allowsData()) {
      paths.suspend(id, true);
      path.lose(
          new VerbsException(
              VerbsException.Kind.CLOSED,
              "the circuit breaker of path %d was opened: its chunks were slow, or it was forced"
                  .formatted(id)));
    }
  }

  // ---- down

  void onClosed(Path path, Throwable cause) {
    PathVitals vitals = vitals(path.id());
    boolean carried = paths.isUp(path.id());
    paths.down(path);
    loss.onLost(path, cause);
    outage.lost(path, cause);
    vitals.timer(null);
    vitals.breaker().onFailure(cause, carried, loop.nanoTime());
    if (paths.countUp() == 0) {
      vitals.breaker().hurry(loop.nanoTime());
    }
    vitals.down(String.valueOf(cause.getMessage()), carried);
    vitals.refused(isKind(cause, VerbsException.Kind.REFUSED));
    events.onPathLost(path, cause);
    if (host.isOpening() && carried && paths.countUp() == 0) {
      outage.giveUp("before it was open");
    } else if (host.wantsPaths()) {
      tell(path, cause, carried);
      revival.plan(vitals);
      if (paths.countUp() == 0) {
        onNoPath(cause);
      }
    }
  }

  private void tell(Path path, Throwable cause, boolean carried) {
    long nowNs = loop.nanoTime();
    long flushed = path.progress().flushed();
    String reason = String.valueOf(cause.getMessage());
    if (carried) {
      told.emit(new PathEvent.Down(path.id(), nowNs, reason, flushed));
      LOG.info(
          "path {} to {} is down, {} are up: {} ({} work requests were flushed)",
          path.id(),
          context.peer(),
          paths.countUp(),
          reason,
          flushed);
    } else {
      long waitNs = events.connects() ? vitals(path.id()).breaker().nextAttemptNs() - nowNs : 0;
      Duration wait = Duration.ofNanos(Math.max(0, waitNs));
      told.emit(new PathEvent.AttemptFailed(path.id(), nowNs, reason, wait));
      LOG.debug("path {} to {} did not come up: {}", path.id(), context.peer(), reason);
    }
  }

  private void onNoPath(Throwable last) {
    boolean first = !outage.isOn();
    boolean gone = events.connects() && isKind(last, VerbsException.Kind.REJECTED);
    if (gone || (events.connects() && nobodyListens())) {
      outage.giveUp("and its peer has ended it");
      return;
    }
    // A peer that closed its end is alive and comes back soon, or has ended.
    boolean closed = !events.connects() && isKind(last, VerbsException.Kind.PEER_CLOSED);
    outage.begin(closed ? 2 * (options.maxBackoffNs() + options.attemptNs()) : Long.MAX_VALUE);
    if (first) {
      forEach(this::hurry);
    }
  }

  private boolean nobodyListens() {
    for (int id = 0; id < all.length(); id++) {
      PathVitals vitals = all.get(id);
      if (vitals != null && vitals.refusals() < REFUSALS) {
        return false;
      }
    }
    return true;
  }

  /** Without any path none is left alone for long, however often it has flapped. */
  private void hurry(PathVitals vitals) {
    vitals.breaker().hurry(loop.nanoTime());
    revival.plan(vitals);
  }

  private static boolean isKind(Throwable cause, VerbsException.Kind kind) {
    return cause instanceof VerbsException verbs && verbs.kind() == kind;
  }

  /** The peer has lost a path. */
  void onFence(Control.Fence fence) {
    loss.onFence(fence, paths.get(fence.pathId()));
  }

  /** The peer has fenced a path. */
  void onFenced(Control.Fenced fenced) {
    int repeated = loss.onFenced(fenced);
    told.emit(new PathEvent.FailedOver(fenced.pathId(), loop.nanoTime(), repeated));
  }

  // ---- the end

  void end() {
    outage.stop();
    watch.end();
    forEach(PathVitals::end);
    told.end();
  }

  /** Any thread. */
  List<PathReport> report() {
    long nowNs = loop.nanoTime();
    return paths.report(all::get, nowNs);
  }
}
