package io.maestro.route;

import io.maestro.api.RouteReport;
import io.maestro.api.Routing;
import io.maestro.net.PathPlan;
import io.maestro.net.PathPlanner;
import io.maestro.net.RouteProber;
import io.maestro.path.Topology;
import io.maestro.verbs.WireProtocol;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Plans paths by what the topology predicts and what probes of the network say.
 *
 * <p>With a topology it computes the routes of many 5-tuples, chooses, and verifies the chosen by
 * probes; when these contradict it, or without a topology, it probes many 5-tuples and chooses
 * among what it sees. Where neither tells anything, the plans leave the source port to the system
 * and say why. Any thread; nothing blocks.
 */
public final class RoutePlanner implements PathPlanner {
  private static final Logger LOG = LoggerFactory.getLogger(RoutePlanner.class);

  private final Routing routing;
  private final WireProtocol wire;
  private final RouteProber prober;
  private final IntUnaryOperator below;
  private final RouteMemory memory = new RouteMemory();
  private volatile @Nullable Topology topology;

  /**
   * A planner for the connections of one provider.
   *
   * @param routing what it may do
   * @param wire what the provider's packets look like
   * @param prober asks the network
   * @param topology the fabric, null when it is not known
   * @param random draws source ports; used by one thread at a time
   */
  public RoutePlanner(
      Routing routing,
      WireProtocol wire,
      RouteProber prober,
      @Nullable Topology topology,
      RandomGenerator random) {
    this.routing = routing;
    this.wire = wire;
    this.prober = prober;
    this.topology = topology;
    this.below =
        bound -> {
          synchronized (random) {
            return random.nextInt(bound);
          }
        };
  }

  /** The fabric has changed, as a controller says; plans made from now on reckon with it. */
  public void topology(Topology changed) {
    topology = changed;
  }

  @Override
  public Mono<List<PathPlan>> plan(Request request) {
    if (!concerns(request)) {
      return Mono.just(List.of());
    }
    return Mono.defer(() -> planNow(request)).subscribeOn(Schedulers.boundedElastic());
  }

  private boolean concerns(Request request) {
    return routing.mode() != Routing.Mode.OFF
        && wire != WireProtocol.OPAQUE
        && request.remotes().stream().anyMatch(r -> !r.getAddress().isLoopbackAddress());
  }

  private Mono<List<PathPlan>> planNow(Request request) {
    List<Tuples.Pair> pairs = Tuples.pairs(request);
    if (pairs.isEmpty()) {
      return Mono.just(List.of());
    }
    List<Tuple> tuples = tuples(request);
    Survey survey = survey(request);
    return survey
        .of(tuples)
        .map(
            evidence -> {
              memory.learn(request, evidence);
              return plans(request, pairs, survey.choice(), evidence);
            });
  }

  private List<Tuple> tuples(Request request) {
    return Tuples.of(Tuples.pairs(request), Tuples.count(request.paths()), wire, below);
  }

  private Survey survey(Request request) {
    return new Survey(request, new Survey.Means(routing, wire, prober, topology));
  }

  private List<PathPlan> plans(
      Request request, List<Tuples.Pair> pairs, Choice choice, List<Evidence> evidence) {
    List<Evidence> chosen = choice.select(evidence, request.paths());
    List<PathPlan> plans = new ArrayList<>(choice.plans(chosen));
    chosen.forEach(one -> memory.use(request, one.tuple()));
    for (int id = plans.size(); id < request.paths(); id++) {
      plans.add(unplanned(pairs.get(id % pairs.size()), why(evidence)));
    }
    log(plans);
    return plans;
  }

  private static PathPlan unplanned(Tuples.Pair pair, String reason) {
    return new PathPlan(
        new InetSocketAddress(pair.local(), 0), pair.remote(), RouteReport.unknown(reason));
  }

  private static String why(List<Evidence> evidence) {
    return evidence.stream()
        .map(one -> one.report(List.of()).reason())
        .filter(reason -> !reason.isEmpty())
        .findFirst()
        .orElse("no route is known: the network decides");
  }

  private static void log(List<PathPlan> plans) {
    for (int id = 0; id < plans.size(); id++) {
      PathPlan plan = plans.get(id);
      RouteReport route = plan.route();
      LOG.info(
          "path {} from {} to {}: {} {}{}",
          id,
          plan.local(),
          plan.remote(),
          route.verdict(),
          route.probed().isEmpty() ? route.predicted() : route.probed(),
          route.reason().isEmpty() ? "" : " (" + route.reason() + ")");
    }
  }

  @Override
  public Mono<PathPlan> replan(Request request, int path, List<PathPlan> current) {
    return Mono.defer(() -> replanNow(request, path, current))
        .subscribeOn(Schedulers.boundedElastic());
  }

  private Mono<PathPlan> replanNow(Request request, int path, List<PathPlan> current) {
    List<Evidence> known = memory.recall(request);
    if (known.isEmpty() || path >= current.size()) {
      return Mono.empty();
    }
    List<Evidence> others =
        new ArrayList<>(current.stream().map(plan -> find(known, plan)).toList());
    Evidence lost = others.remove(path);
    Choice choice = new Choice(new ProbedRoutes(topology));
    return plan(request, choice, others, choice.replacement(lost, others, free(known, current)));
  }

  @Override
  public Mono<List<PathPlan>> review(Request request, List<PathPlan> current) {
    if (!concerns(request) || current.size() < 2) {
      return Mono.empty();
    }
    return Mono.defer(
            () -> new Review(request, survey(request), memory, () -> tuples(request)).of(current))
        .subscribeOn(Schedulers.boundedElastic());
  }

  @Override
  public Mono<PathPlan> beside(Request request, int path, List<PathPlan> current) {
    List<Evidence> known = memory.recall(request);
    if (path >= current.size()) {
      return Mono.empty();
    }
    Choice choice = new Choice(new ProbedRoutes(topology));
    Evidence own = find(known, current.get(path));
    return plan(request, choice, List.of(), choice.beside(own, free(known, current)));
  }

  /** Plans what was chosen, if anything was, beside others. */
  private Mono<PathPlan> plan(
      Request request, Choice choice, List<Evidence> others, Optional<Evidence> chosen) {
    return Mono.justOrEmpty(
        chosen.map(
            one -> {
              memory.use(request, one.tuple());
              List<Evidence> together = new ArrayList<>(others);
              together.add(one);
              return choice.plans(together).getLast();
            }));
  }

  private static List<Evidence> free(List<Evidence> known, List<PathPlan> current) {
    List<Tuple> taken = current.stream().map(RouteMemory::tuple).toList();
    return known.stream().filter(one -> !taken.contains(one.tuple())).toList();
  }

  private static Evidence find(List<Evidence> known, PathPlan plan) {
    Tuple tuple = RouteMemory.tuple(plan);
    return known.stream()
        .filter(one -> one.tuple().equals(tuple))
        .findFirst()
        .orElseGet(() -> Evidence.none(tuple));
  }
}
