package io.maestro.session;

import io.maestro.api.PathHealth;
import io.maestro.api.PathReport;
import io.maestro.path.PathBreaker;
import io.maestro.verbs.EventLoop;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a session knows of one path through all its generations. Session's loop, but {@link View}.
 */
final class PathVitals {
  private static final long NEVER = Long.MIN_VALUE;

  private final int id;
  private final PathBreaker breaker;
  private EventLoop.@Nullable Timer timer;
  private boolean probing;
  private int refusals;
  private volatile View view = new View(PathReport.State.CONNECTING, 0, 0, null, NEVER);

  /** What others may see. */
  record View(
      PathReport.State state,
      int generation,
      long failovers,
      @Nullable String lastCause,
      long nextAttemptNs) {

    View with(PathReport.State newState) {
      return new View(newState, generation, failovers, lastCause, NEVER);
    }
  }

  PathVitals(int id, PathBreaker breaker) {
    this.id = id;
    this.breaker = breaker;
  }

  int id() {
    return id;
  }

  PathBreaker breaker() {
    return breaker;
  }

  PathReport.State state() {
    return view.state;
  }

  int generation() {
    return view.generation;
  }

  void connecting(int generation) {
    view = new View(PathReport.State.CONNECTING, generation, view.failovers, view.lastCause, NEVER);
  }

  void up() {
    refusals = 0;
    view = view.with(PathReport.State.UP);
  }

  void probing() {
    refusals = 0;
    view = view.with(PathReport.State.PROBING);
  }

  /** It is being given up. */
  void lost() {
    view = view.with(PathReport.State.DOWN);
  }

  void down(String cause, boolean failover) {
    probing = false;
    view =
        new View(
            PathReport.State.DOWN,
            view.generation,
            view.failovers + (failover ? 1 : 0),
            cause,
            NEVER);
  }

  /** It will be connected anew then. */
  void nextAttempt(long atNs) {
    view = new View(view.state, view.generation, view.failovers, view.lastCause, atNs);
  }

  /** Nobody listens there, in so many attempts in a row. */
  int refusals() {
    return refusals;
  }

  void refused(boolean nobodyListens) {
    refusals = nobodyListens ? refusals + 1 : 0;
  }

  /** A probe is on its way: the breaker waits for its end. */
  void probeSent() {
    probing = true;
  }

  void probeAnswered() {
    probing = false;
  }

  /** The one thing that is to happen to this path at a time; replaces what was before. */
  void timer(EventLoop.@Nullable Timer next) {
    EventLoop.Timer before = timer;
    if (before != null) {
      before.cancel();
    }
    timer = next;
  }

  /** The session has ended. */
  void end() {
    timer(null);
    if (probing) {
      probing = false;
      breaker.onProbeGivenUp();
    }
    breaker.close();
  }

  /** Any thread. */
  PathReport.State reportedState() {
    return view.state;
  }

  /** Any thread. */
  PathHealth report(boolean redundant, long nowNs) {
    View seen = view;
    Optional<Duration> next =
        seen.nextAttemptNs == NEVER
            ? Optional.empty()
            : Optional.of(Duration.ofNanos(Math.max(0, seen.nextAttemptNs - nowNs)));
    return new PathHealth(
        breaker.state(),
        seen.generation,
        seen.failovers,
        redundant,
        Optional.ofNullable(seen.lastCause),
        next);
  }
}
