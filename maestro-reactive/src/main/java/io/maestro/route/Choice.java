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
import java.util.Objects;
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
    return select(evidence, paths, List.of());
  }

  /** Chooses again: of equally good choices the one where most of the current ones stay. */
  List<Evidence> select(List<Evidence> evidence, int paths, List<Evidence> current) {
    List<Evidence> known = known(evidence);
    return PathSelector.select(candidates(known), paths, candidates(current)).paths().stream()
        .map(chosen -> find(chosen, known))
        .toList();
  }

  private List<Candidate> candidates(List<Evidence> evidence) {
    return evidence.stream().map(this::candidate).toList();
  }

  /** How many links pairs of them share. */
  int overlap(List<Evidence> together) {
    return new PathSelection(candidates(together)).overlap();
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
    return overlap(chosen) <= common * paths * (paths - 1) / 2;
  }

  private static boolean has(Route route, RouteLink link) {
    return route.links().stream().anyMatch(link::mayBe);
  }

  /** Plans of chosen paths, each saying what it shares with the others. */
  List<PathPlan> plans(List<Evidence> chosen) {
    PathSelection selection = new PathSelection(candidates(chosen));
    List<PathPlan> plans = new ArrayList<>();
    for (int i = 0; i < chosen.size(); i++) {
      RouteReport report = chosen.get(i).report(selection.sharedLinks(i));
      Tuple tuple = chosen.get(i).tuple();
      plans.add(new PathPlan(tuple.local(), tuple.remote(), report));
    }
    return plans;
  }

  /**
   * One more path beside others that is as good as the lost one: in its place, or where nothing
   * else is. A worse one would not help, as what they share is full already, and would not leave
   * when the link is back. When no other is known, the lost one itself, whose link may be repaired.
   *
   * @param lost what is known of the path that is replaced
   * @param free what may be chosen, in order of preference
   */
  Optional<Evidence> replacement(Evidence lost, List<Evidence> others, List<Evidence> free) {
    List<Evidence> known = known(free);
    if (lost.route() == null) {
      return known.stream().min(Comparator.comparingInt(one -> overlap(one, others)));
    }
    int shared = overlap(lost, others);
    return known.stream()
        .filter(one -> overlap(one, others) <= shared)
        .findFirst()
        .or(() -> Optional.of(lost));
  }

  /** One of those that are free on the route of another. */
  Optional<Evidence> beside(Evidence other, List<Evidence> free) {
    return known(free).stream()
        .filter(one -> Objects.equals(one.route(), other.route()))
        .findFirst();
  }

  private int overlap(Evidence one, List<Evidence> others) {
    List<Evidence> together = new ArrayList<>(others);
    together.add(one);
    return overlap(together);
  }
}
