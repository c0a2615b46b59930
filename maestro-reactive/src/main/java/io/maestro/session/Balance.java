package io.maestro.session;

import io.maestro.api.PathSample;
import io.maestro.path.LoadBalancer;
import io.maestro.path.PathLoad;
import io.maestro.path.PathMonitor;
import io.maestro.path.PathPlan;
import io.maestro.verbs.EventLoop;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;

/**
 * Lets the load balancer work: samples the paths about once per round trip while anything is in
 * flight, and puts its plans into effect. Session's loop only, but for {@link #samples}.
 */
final class Balance {
  /** What a path is ahead of or behind its share is forgotten after about this time. */
  private static final double MEMORY_NS = 1e9;

  private final EventLoop loop;
  private final PathTable paths;
  private final LoadBalancer balancer;
  private final PathPlan plan;
  private final PathMonitor monitor = new PathMonitor();
  private final Runnable tick = this::tick;
  private boolean ticking;
  private long lastNs;

  Balance(SessionContext context, SessionOptions options, PathTable paths) {
    this.loop = context.loop();
    this.paths = paths;
    this.balancer = options.balancer();
    this.plan =
        new PathPlan(
            SessionParameters.MAX_PATHS, context.parameters().chunkBytes(), options.windowBytes());
    paths.onChange(this::replan);
  }

  LoadBalancer balancer() {
    return balancer;
  }

  /** The path of the next chunk, negative when it has to wait. */
  int choose(int length, long backlogBytes) {
    return balancer.choose(paths.load(), length, backlogBytes);
  }

  /** Something may be in flight: begins to sample unless that goes on already. */
  void watch() {
    if (!ticking && paths.anyUnacked()) {
      lastNs = loop.nanoTime();
      monitor.start(lastNs, paths.counters());
      schedule();
    }
  }

  private void schedule() {
    ticking = true;
    loop.schedule(monitor.periodNs(), tick);
  }

  private void tick() {
    ticking = false;
    replan();
    if (paths.anyUnacked()) {
      schedule();
    }
  }

  /** Plans anew, also when a path has come or gone. */
  void replan() {
    long nowNs = loop.nanoTime();
    paths.load().forget(Math.min(1, (nowNs - lastNs) / MEMORY_NS));
    lastNs = nowNs;
    List<PathSample> samples = monitor.end(nowNs, paths.counters());
    balancer.plan(samples, plan);
    apply(samples);
  }

  private void apply(List<PathSample> samples) {
    double total = 0;
    for (PathSample sample : samples) {
      total += sample.usable() ? plan.weight(sample.path()) : 0;
    }
    PathLoad load = paths.load();
    List<PathTable.Share> next = new ArrayList<>(samples.size());
    for (PathSample sample : samples) {
      int id = sample.path();
      double weight = sample.usable() && total > 0 ? plan.weight(id) / total : 0;
      load.usable(id, weight > 0);
      load.weight(id, weight);
      load.window(id, plan.neededBytes(id), plan.windowBytes(id));
      load.measured(id, plan.rateBytesPerSecond(id), sample.minRttNs());
      next.add(new PathTable.Share(weight, plan.windowBytes(id)));
    }
    paths.planned(next);
  }

  /** Any thread. */
  Flux<PathSample> samples() {
    return monitor.samples();
  }

  /** The session has ended. */
  void end() {
    monitor.close();
  }
}
