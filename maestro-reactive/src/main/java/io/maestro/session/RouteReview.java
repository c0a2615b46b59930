package io.maestro.session;

import io.maestro.net.PathPlan;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then, and soon after a path is lost or comes back, whether the paths still go
 * separate ways, as switches hash anew whenever one of their links changes; and moves one path at a
 * time where they do not. Session's loop only.
 */
final class RouteReview {
  private static final Logger LOG = LoggerFactory.getLogger(RouteReview.class);

  /** Routing protocols take up to some hundred milliseconds to settle after a link changes. */
  private static final Duration SETTLING = Duration.ofSeconds(1);

  private final Planning planning;
  private final Session session;
  private final EventLoop loop;
  private final long everyNs;
  private EventLoop.@Nullable Timer timer;
  private boolean hasChanged;
  private int movesLeft;

  /**
   * @param every how often it looks when nothing happens
   */
  RouteReview(Planning planning, Session session, Duration every) {
    this.planning = planning;
    this.session = session;
    this.loop = session.loop();
    this.everyNs = every.toNanos();
    this.movesLeft = session.context().parameters().paths();
    later();
  }

  /** A path is lost or has come back. */
  void soon() {
    if (!hasChanged) {
      hasChanged = true;
      in(Math.min(everyNs, SETTLING.toNanos()), this::look);
    }
  }

  /** A fabric that changes all the time has each path moved once in this while. */
  private void later() {
    in(
        everyNs,
        () -> {
          movesLeft = session.context().parameters().paths();
          look();
        });
  }

  private void in(long ns, Runnable action) {
    stop();
    timer = loop.schedule(ns, action);
  }

  void stop() {
    if (timer != null) {
      timer.cancel();
    }
  }

  private void look() {
    hasChanged = false;
    List<Path> up = new ArrayList<>();
    for (Path path : session.paths().all()) {
      if (session.paths().isUp(path.id())) {
        up.add(path);
      }
    }
    List<PathPlan> current = up.stream().map(this::plan).toList();
    planning.review(current, best -> obey(up, current, best));
  }

  private PathPlan plan(Path path) {
    PathPlan plan = planning.plans().of(path.id());
    InetSocketAddress local = path.progress().local();
    return new PathPlan(local == null ? plan.local() : local, plan.remote(), plan.route());
  }

  private void obey(List<Path> up, List<PathPlan> current, List<PathPlan> best) {
    if (!session.wantsPaths()) {
      return;
    }
    if (!hasChanged) {
      later();
    }
    boolean moved = false;
    for (int i = 0; i < best.size(); i++) {
      Path path = up.get(i);
      if (session.paths().get(path.id()) != path) {
        continue; // lost since
      }
      if (goesOn(current.get(i), best.get(i))) {
        planning.plans().replace(path.id(), best.get(i));
      } else if (!moved && movesLeft > 0) {
        moved = true; // and when it is back, the others are looked at again
        move(path, best.get(i));
      }
    }
  }

  private static boolean goesOn(PathPlan now, PathPlan then) {
    return now.local().equals(then.local()) && now.remote().equals(then.remote());
  }

  private void move(Path path, PathPlan plan) {
    movesLeft--;
    LOG.info(
        "path {} to {} moves from {} to {}: the network has brought it together with others",
        path.id(),
        session.context().peer(),
        path.progress().local(),
        plan.local());
    planning.move(path.id(), plan);
    path.lose(
        new VerbsException(
            VerbsException.Kind.CLOSED,
            "it moves to a route that shares fewer links with the other paths"));
  }
}
