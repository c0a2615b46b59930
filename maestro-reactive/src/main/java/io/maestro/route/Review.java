package io.maestro.route;

import io.maestro.net.PathPlan;
import io.maestro.net.PathPlanner.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Looks which way paths in use go, and chooses again where the network has brought them together.
 * One review each; boundedElastic.
 */
final class Review {
  private final Request request;
  private final Survey survey;
  private final Choice choice;
  private final RouteMemory memory;
  private final Supplier<List<Tuple>> fresh;

  /**
   * @param fresh makes 5-tuples to choose from
   */
  Review(Request request, Survey survey, RouteMemory memory, Supplier<List<Tuple>> fresh) {
    this.request = request;
    this.survey = survey;
    this.choice = survey.choice();
    this.memory = memory;
    this.fresh = fresh;
  }

  /** The plans that are best now; empty when nothing has changed or can be told. */
  Mono<List<PathPlan>> of(List<PathPlan> current) {
    List<Evidence> before = memory.recall(request);
    return survey
        .exactly(current.stream().map(RouteMemory::tuple).toList(), before)
        .filter(now -> now.stream().allMatch(Review::canBeCompared))
        .flatMap(now -> judge(before, now));
  }

  /** A route of which a part is unknown differs from all others, and tells nothing. */
  private static boolean canBeCompared(Evidence evidence) {
    return switch (evidence.verdict()) {
      case PREDICTED, AGREED -> true;
      case PROBED, DISAGREED -> evidence.probed() != null && evidence.probed().isComplete();
      case UNKNOWN -> false;
    };
  }

  private Mono<List<PathPlan>> judge(List<Evidence> before, List<Evidence> now) {
    boolean moved = now.stream().anyMatch(one -> hasMoved(before, one));
    if (moved) {
      memory.forget(request); // what moved these has moved others
    }
    memory.learn(request, now);
    List<Evidence> known = memory.recall(request);
    int better = choice.overlap(choice.select(known, now.size(), now));
    return moved || better < choice.overlap(now) ? again(now) : Mono.empty();
  }

  private static boolean hasMoved(List<Evidence> before, Evidence now) {
    return before.stream()
        .filter(one -> one.tuple().equals(now.tuple()))
        .noneMatch(one -> Objects.equals(one.route(), now.route()));
  }

  private Mono<List<PathPlan>> again(List<Evidence> now) {
    return survey
        .of(fresh.get())
        .map(
            found -> {
              memory.learn(request, found);
              List<Evidence> all = new ArrayList<>(now);
              all.addAll(found);
              List<Evidence> best = choice.select(all, now.size(), now);
              boolean helps = choice.overlap(best) < choice.overlap(now);
              return choice.plans(helps ? best : now);
            });
  }
}
