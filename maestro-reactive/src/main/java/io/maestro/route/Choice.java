package io.maestro.route;

import io.maestro.api.RouteReport;
import io.maestro.net.PathPlan;
import io.maestro.path.Candidate;
import io.maestro.path.PathSelection;
import io.maestro.path.PathSelector;
import io.maestro.path.Route;
import io.maestro.path.RouteLink;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Turns evidence into plans by way of the selector. */
final class Choice {
  private final ProbedRoutes words;

  Choice(ProbedRoutes words) {
    this.words = words;
  }

  private Candidate candidate(Evidence evidence) {
    return evidence.candidate(words.unknown(evidence.tuple()));
  }

  private List<Evidence> known(List<Evidence> evidence) {
    return evidence.stream().filter(one -> one.isUsable() && one.route() != null).toList();
  }

  /** The evidence of the chosen paths; fewer when fewer routes are known. */
  List<Evidence> select(List<Evidence> evidence, int paths) {
    List<Evidence> known = known(evidence);
    List<Candidate> candidates = known.stream().map(this::candidate).toList();
    return PathSelector.select(candidates, paths).paths().stream()
        .map(chosen -> find(chosen, known))
        .toList();
  }

  private static Evidence find(Candidate chosen, List<Evidence> evidence) {
    return evidence.stream()
        .filter(
            one ->
                one.tuple().local().getPort() == chosen.localPort()
                    && one.tuple().remote().getPort() == chosen.remotePort()
                    && one.tuple().local().getAddress().equals(chosen.local())
                    && one.tuple().remote().getAddress().equals(chosen.remote()))
        .findFirst()
        .orElseThrow();
  }

  /** Whether no more evidence could help: what the chosen paths share, every route has. */
  boolean isEnough(List<Evidence> evidence, int paths) {
    List<Evidence> chosen = select(evidence, paths);
    if (chosen.size() < paths) {
      return false;
    }
    List<Route> all = known(evidence).stream().map(one -> candidate(one).route()).toList();
    long common =
        all.getFirst().links().stream()
            .filter(link -> all.stream().allMatch(route -> has(route, link)))
            .count();
    PathSelection selection = new PathSelection(chosen.stream().map(this::candidate).toList());
    return selection.overlap() <= common * paths * (paths - 1) / 2;
  }

  private static boolean has(Route route, RouteLink link) {
    return route.links().stream().anyMatch(link::mayBe);
  }

  /** Plans of chosen paths, each saying what it shares with the others. */
  List<PathPlan> plans(List<Evidence> chosen) {
    PathSelection selection = new PathSelection(chosen.stream().map(this::candidate).toList());
    List<PathPlan> plans = new ArrayList<>();
    for (int i = 0; i < chosen.size(); i++) {
      RouteReport report = chosen.get(i).report(selection.sharedLinks(i));
      Tuple tuple = chosen.get(i).tuple();
      plans.add(new PathPlan(tuple.local(), tuple.remote(), report));
    }
    return plans;
  }

  /**
   * One more path beside others: on the route it had, else on the one that shares least with them.
   *
   * @param lost what is known of the path that is replaced
   * @param free what may be chosen, in order of preference
   */
  Optional<Evidence> replacement(Evidence lost, List<Evidence> others, List<Evidence> free) {
    List<Evidence> known = known(free);
    Route before = lost.route();
    Optional<Evidence> same =
        known.stream().filter(one -> before != null && before.equals(one.route())).findFirst();
    return same.isPresent()
        ? same
        : known.stream().min(Comparator.comparingInt(one -> overlap(one, others)));
  }

  private int overlap(Evidence one, List<Evidence> others) {
    List<Candidate> together = new ArrayList<>(others.stream().map(this::candidate).toList());
    together.add(candidate(one));
    return new PathSelection(together).overlap();
  }
}
