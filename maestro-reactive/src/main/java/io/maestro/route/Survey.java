package io.maestro.route;

import io.maestro.api.Routing;
import io.maestro.net.PathPlanner.Request;
import io.maestro.net.ProbeTarget;
import io.maestro.net.ProbedRoute;
import io.maestro.net.RouteProber;
import io.maestro.path.Prediction;
import io.maestro.path.Topology;
import io.maestro.verbs.WireProtocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Finds out the routes of 5-tuples for one request. */
final class Survey {
  private static final int BATCH = 16;
  private static final int BATCH_FOR_EACH_PATH = 4;

  private final Request request;
  private final Means means;
  private final ProbedRoutes words;
  private final Choice choice;

  /**
   * What it works with.
   *
   * @param topology null when it is not known
   */
  record Means(
      Routing routing, WireProtocol wire, RouteProber prober, @Nullable Topology topology) {}

  Survey(Request request, Means means) {
    this.request = request;
    this.means = means;
    this.words = new ProbedRoutes(means.topology());
    this.choice = new Choice(words);
  }

  Choice choice() {
    return choice;
  }

  /** What is known of the tuples after as little probing as suffices. */
  Mono<List<Evidence>> of(List<Tuple> tuples) {
    List<Evidence> computed = tuples.stream().map(this::predict).toList();
    boolean predicted = computed.stream().anyMatch(one -> one.route() != null);
    if (means.routing().mode() == Routing.Mode.PREDICT) {
      return Mono.just(computed);
    }
    return predicted ? verify(computed) : explore(computed);
  }

  /**
   * What is known of just these tuples, which connections have.
   *
   * @param before what was known of them and others to the same peer
   */
  Mono<List<Evidence>> exactly(List<Tuple> tuples, List<Evidence> before) {
    List<Evidence> computed = tuples.stream().map(this::predict).toList();
    return means.routing().mode() == Routing.Mode.PREDICT
        ? Mono.just(computed)
        : means
            .prober()
            .probe(targets(computed), budget().dividedBy(2))
            .map(routes -> routes.stream().map(route -> arrived(route, before)).toList())
            .map(routes -> merge(computed, routes));
  }

  /**
   * The peer does not answer a probe of a connection that it has, but it is where it was: as many
   * routers away as when it did answer.
   */
  private static ProbedRoute arrived(ProbedRoute now, List<Evidence> before) {
    boolean isThere =
        before.stream()
            .map(Evidence::probed)
            .filter(Objects::nonNull)
            .filter(ProbedRoute::reached)
            .filter(then -> then.target().remote().equals(now.target().remote()))
            .anyMatch(then -> then.hops().size() == now.hops().size());
    return now.reached() || !isThere
        ? now
        : new ProbedRoute(now.target(), now.hops(), true, now.sent(), "");
  }

  private Evidence predict(Tuple tuple) {
    Topology topology = means.topology();
    Prediction prediction =
        topology == null ? null : topology.predict(tuple.onTheWire(means.wire()));
    return new Evidence(tuple, prediction, null, null);
  }

  private Duration budget() {
    Duration limit = means.routing().timeout();
    return limit.compareTo(request.budget()) < 0 ? limit : request.budget();
  }

  /** Probes what would be chosen by prediction alone, and all only if that turns out wrong. */
  private Mono<List<Evidence>> verify(List<Evidence> computed) {
    List<Evidence> chosen = choice.select(computed, request.paths());
    return means
        .prober()
        .probe(targets(chosen), budget().dividedBy(2))
        .flatMap(
            routes -> {
              List<Evidence> checked = merge(computed, routes);
              boolean wrong = checked.stream().anyMatch(one -> one.isContradicted());
              return wrong ? explore(checked) : Mono.just(checked);
            });
  }

  /** Probes batch after batch until the best choice cannot become better. */
  private Mono<List<Evidence>> explore(List<Evidence> computed) {
    List<Evidence> open = computed.stream().filter(one -> one.probed() == null).toList();
    int size = Math.max(BATCH, BATCH_FOR_EACH_PATH * request.paths());
    List<List<ProbeTarget>> batches = new ArrayList<>();
    for (int from = 0; from < open.size(); from += size) {
      batches.add(targets(open.subList(from, Math.min(open.size(), from + size))));
    }
    return means
        .prober()
        .probe(batches, routes -> isEnough(computed, routes), budget())
        .map(routes -> probedOf(merge(computed, routes)));
  }

  private boolean isEnough(List<Evidence> computed, List<ProbedRoute> routes) {
    List<Evidence> probed = probedOf(merge(computed, routes));
    // When nothing at all answers, more of the same will not either.
    boolean blind = probed.stream().allMatch(one -> one.route() == null);
    return blind || choice.isEnough(probed, request.paths());
  }

  /** A prediction that was not verified counts for nothing once others have proved wrong. */
  private static List<Evidence> probedOf(List<Evidence> all) {
    return all.stream().filter(one -> one.probed() != null).toList();
  }

  private List<ProbeTarget> targets(List<Evidence> evidence) {
    return evidence.stream().map(one -> one.tuple().target(means.wire())).toList();
  }

  private List<Evidence> merge(List<Evidence> evidence, List<ProbedRoute> routes) {
    Map<ProbeTarget, ProbedRoute> byTarget = new HashMap<>();
    routes.forEach(route -> byTarget.put(route.target(), route));
    return evidence.stream()
        .map(
            one -> {
              ProbedRoute probed = byTarget.get(one.tuple().target(means.wire()));
              return probed == null
                  ? one
                  : new Evidence(one.tuple(), one.prediction(), probed, words.of(probed));
            })
        .collect(Collectors.toList());
  }
}
