package io.maestro.net;

import io.maestro.verbs.NanoClock;
import io.maestro.verbs.SystemClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Asks the network which way the packets of a 5-tuple go, as Paris traceroute does: packets of the
 * very 5-tuple, whose hop limit ends at each router in turn, which answers and so tells its
 * address. What does not answer is unknown; nothing is guessed.
 *
 * <p>Methods may be called from any thread and do not block it; probes are sent from Reactor's
 * bounded elastic scheduler, where the answers are given too. Linux only: elsewhere every route is
 * unknown.
 */
public final class RouteProber {
  private final ProbeOptions options;
  private final NanoClock clock;
  private final Supplier<? extends ProbeWire> wires;
  private final Optional<String> unavailable;
  private final Scheduler scheduler;

  /** A prober over this machine's sockets. */
  public RouteProber(ProbeOptions options) {
    this(
        options,
        SystemClock.INSTANCE,
        SocketWire::new,
        SocketWire.unavailable(),
        Schedulers.boundedElastic());
  }

  RouteProber(
      ProbeOptions options,
      NanoClock clock,
      Supplier<? extends ProbeWire> wires,
      Optional<String> unavailable,
      Scheduler scheduler) {
    this.options = options;
    this.clock = clock;
    this.wires = wires;
    this.unavailable = unavailable;
    this.scheduler = scheduler;
  }

  /** Why nothing can be probed on this machine; empty when it can. */
  public Optional<String> unavailable() {
    return unavailable;
  }

  /** Probes all targets; see {@link #probe(List, Predicate, Duration)}. */
  public Mono<List<ProbedRoute>> probe(List<ProbeTarget> targets, Duration budget) {
    return probe(List.of(targets), routes -> true, budget);
  }

  /**
   * Probes batches of targets one after the other until enough is known.
   *
   * <p>No error: what could not be learnt, in the time given or at all, is an unknown route with
   * the reason. A TCP target's remote may see one connection from each local address, reset at
   * once. Cancelling stops within some milliseconds.
   *
   * @param batches the targets in order of interest
   * @param enough called on the probing thread with all routes so far, after each batch
   * @param budget most time that it may take
   * @return the routes of the batches that were probed, in their order
   */
  public Mono<List<ProbedRoute>> probe(
      List<List<ProbeTarget>> batches, Predicate<List<ProbedRoute>> enough, Duration budget) {
    if (unavailable.isPresent()) {
      return Mono.just(
          batches.stream()
              .flatMap(List::stream)
              .map(target -> ProbedRoute.unknown(target, unavailable.get()))
              .toList());
    }
    return Mono.<List<ProbedRoute>>create(
            sink -> {
              AtomicBoolean cancelled = new AtomicBoolean();
              sink.onCancel(() -> cancelled.set(true));
              sink.success(run(batches, enough, budget.toNanos(), cancelled));
            })
        .subscribeOn(scheduler);
  }

  private List<ProbedRoute> run(
      List<List<ProbeTarget>> batches,
      Predicate<List<ProbedRoute>> enough,
      long budgetNs,
      AtomicBoolean cancelled) {
    long startNs = clock.nanoTime();
    RateLimit limit = new RateLimit(options.probesPerSecond(), options.burst(), startNs);
    List<ProbedRoute> routes = new ArrayList<>();
    try (ProbeWire wire = wires.get()) {
      ProbeRound round =
          new ProbeRound(
              wire,
              clock,
              options,
              limit,
              () -> cancelled.get() || clock.nanoTime() - startNs >= budgetNs);
      RouteTracer tracer = new RouteTracer(round, options.maxHops());
      for (List<ProbeTarget> batch : batches) {
        routes.addAll(tracer.trace(batch));
        if (cancelled.get() || enough.test(List.copyOf(routes))) {
          break;
        }
      }
    }
    return routes;
  }
}
