package io.maestro.session;

import io.maestro.api.PathReport;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.VerbsException;
import java.util.function.Consumer;

/**
 * Brings lost paths back: the connecting side connects them anew when their breakers allow it, and
 * both sides probe what is connected before it carries chunks. Session's loop only.
 */
final class Revival {
  private final EventLoop loop;
  private final FailoverOptions options;
  private final FailoverHost host;
  private final SessionEvents events;
  private final PathTable paths;
  private final Consumer<Path> onGood;

  /**
   * @param onGood told of a path that has answered enough probes
   */
  Revival(
      FailoverOptions options,
      FailoverHost host,
      SessionEvents events,
      PathTable paths,
      Consumer<Path> onGood) {
    this.loop = host.loop();
    this.options = options;
    this.host = host;
    this.events = events;
    this.paths = paths;
    this.onGood = onGood;
  }

  /**
   * Plans the next attempt to connect a path that is down; the accepting side waits for its peer.
   */
  void plan(PathVitals vitals) {
    if (events.connects() && host.wantsPaths() && vitals.state() == PathReport.State.DOWN) {
      long atNs = vitals.breaker().nextAttemptNs();
      vitals.nextAttempt(atNs);
      vitals.timer(loop.schedule(Math.max(0, atNs - loop.nanoTime()), () -> attempt(vitals)));
    }
  }

  private void attempt(PathVitals vitals) {
    if (!host.wantsPaths() || vitals.state() != PathReport.State.DOWN) {
      return;
    }
    if (vitals.breaker().tryAttempt(loop.nanoTime())) {
      int generation = vitals.generation() + 1;
      vitals.connecting(generation);
      events.connectAnew(vitals.id(), generation);
    } else {
      // kept open by whoever holds the registry, who may change his mind
      vitals.timer(loop.schedule(options.maxBackoffNs(), () -> attempt(vitals)));
    }
  }

  /** A path is connected anew: probes it. */
  void probe(Path path, PathVitals vitals) {
    long startNs = loop.nanoTime();
    if (!vitals.breaker().tryProbe(startNs)) {
      path.lose(new VerbsException(VerbsException.Kind.CLOSED, "its circuit breaker is kept open"));
      return;
    }
    vitals.probeSent();
    paths.offer(
        path.id(), new Envelope(0, new Control.Probe(), () -> onAnswer(path, vitals, startNs)));
    paths.wakeTouched();
    vitals.timer(
        loop.schedule(
            options.attemptNs(),
            () ->
                path.lose(
                    new VerbsException(
                        VerbsException.Kind.TIMED_OUT,
                        "a probe from %s to %s was not answered within %d ms"
                            .formatted(
                                path.progress().local(),
                                path.progress().remote(),
                                options.attemptNs() / 1_000_000)))));
  }

  private void onAnswer(Path path, PathVitals vitals, long sentNs) {
    if (vitals.state() != PathReport.State.PROBING || paths.get(path.id()) != path) {
      return;
    }
    vitals.timer(null);
    vitals.probeAnswered();
    long nowNs = loop.nanoTime();
    vitals.breaker().onProbeAnswered(nowNs - sentNs, nowNs);
    if (vitals.breaker().allowsData()) {
      onGood.accept(path);
    } else {
      probe(path, vitals);
    }
  }
}
