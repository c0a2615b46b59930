package io.maestro.session;

import io.maestro.api.MaestroConfig;
import io.maestro.api.RouteReport;
import io.maestro.net.PathPlan;
import io.maestro.net.PathPlanner;
import io.maestro.verbs.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/** Asks the planner where paths are to go, and goes on without it when it fails. Session's loop. */
final class Planning {
  private static final Logger LOG = LoggerFactory.getLogger(Planning.class);

  private final PathPlanner planner;
  private final MaestroConfig config;
  private final List<InetSocketAddress> remotes;
  private final EventLoop loop;
  private final PathPlans plans;
  private final Set<Integer> moving = new HashSet<>();
  private final Disposable.Composite underWay = Disposables.composite();

  Planning(Endpoint endpoint, List<InetSocketAddress> remotes, EventLoop loop) {
    this.planner = endpoint.planner();
    this.config = endpoint.config();
    this.remotes = remotes;
    this.loop = loop;
    this.plans = new PathPlans(config.localAddresses(), remotes);
  }

  PathPlans plans() {
    return plans;
  }

  /** Plans all paths, and then goes on. */
  void all(Runnable then) {
    // The other half of the time is for connecting, if the planner finds out nothing.
    Duration budget = config.timeouts().connect().dividedBy(2);
    when(
        planner.plan(request(budget)),
        chosen -> {
          plans.planned(chosen);
          then.run();
        });
  }

  /** Plans one path anew, beside the others as they are, and then goes on. */
  void again(int id, int paths, Runnable then) {
    if (moving.remove(id)) {
      then.run();
      return;
    }
    Duration budget = config.timeouts().connect().dividedBy(2);
    when(
        planner.replan(request(budget), id, plans.all(paths)).map(List::of),
        chosen -> {
          // Without a plan the system chooses a port: the old one may still be waiting in the
          // kernel.
          plans.replace(id, chosen.isEmpty() ? null : chosen.getFirst());
          then.run();
        });
  }

  /** A path goes elsewhere when it is connected next. */
  void move(int id, PathPlan plan) {
    plans.replace(id, plan);
    moving.add(id);
  }

  /**
   * Looks which way the paths that are up go now.
   *
   * @param current their plans
   * @param then gets the plans that are best now in the same order, or none when nothing changed
   */
  void review(List<PathPlan> current, Consumer<List<PathPlan>> then) {
    when(planner.review(request(config.routing().timeout()), current), then);
  }

  /** Another 5-tuple on a path's route; where there is none to tell, what the system chooses. */
  void beside(int id, int paths, Consumer<PathPlan> then) {
    Duration budget = config.timeouts().connect().dividedBy(2);
    PathPlan own = plans.of(id);
    PathPlan unplanned =
        new PathPlan(
            new InetSocketAddress(own.local().getAddress(), 0),
            own.remote(),
            RouteReport.unknown("no other source port is known to lead the same way"));
    when(
        planner.beside(request(budget), id, plans.all(paths)).map(List::of),
        chosen -> then.accept(chosen.isEmpty() ? unplanned : chosen.getFirst()));
  }

  private PathPlanner.Request request(Duration budget) {
    return new PathPlanner.Request(config.localAddresses(), remotes, config.paths(), budget);
  }

  private void when(Mono<List<PathPlan>> answer, Consumer<List<PathPlan>> then) {
    underWay.add(
        answer
            .doOnError(failure -> LOG.warn("cannot plan the routes to {}", remotes, failure))
            .onErrorReturn(List.of())
            .defaultIfEmpty(List.of())
            .subscribe(chosen -> Tasks.execute(loop, () -> then.accept(chosen))));
  }

  /** Nobody waits for answers any more. */
  void stop() {
    underWay.dispose();
  }
}
