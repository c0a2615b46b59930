package io.maestro.path;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the paths of a connection so that their routes share as little as possible.
 *
 * <p>What counts, in this order: what the paths carry together, where rates are known, so that they
 * share no bottleneck; how many links pairs of them share; how many links they have; how many of
 * the current paths stay. Among candidates of one route, it spreads over the aliases. Pure and
 * deterministic; any thread.
 */
public final class PathSelector {
  private PathSelector() {}

  /** Chooses the paths of a new connection. */
  public static PathSelection select(List<Candidate> candidates, int paths) {
    return select(candidates, paths, List.of());
  }

  /**
   * Chooses again, with as few changes as the best choice allows.
   *
   * @param candidates with their routes as known now; those of {@code current} that are not among
   *     them are given up
   * @param paths how many are wanted, positive
   * @param current the present paths, by path number; a path that stays keeps its number
   */
  public static PathSelection select(
      List<Candidate> candidates, int paths, List<Candidate> current) {
    if (paths < 1) {
      throw new IllegalArgumentException("paths must be positive, was " + paths);
    }
    Map<Route, List<Candidate>> byRoute = new HashMap<>();
    List<Route> routes = new ArrayList<>();
    for (Candidate candidate : candidates) {
      byRoute
          .computeIfAbsent(
              candidate.route(),
              route -> {
                routes.add(route);
                return new ArrayList<>();
              })
          .add(candidate);
    }
    int wanted = Math.min(paths, candidates.size());
    if (wanted == 0) {
      return new PathSelection(List.of());
    }
    int[] capacity = new int[routes.size()];
    int[] inUse = new int[routes.size()];
    for (int i = 0; i < capacity.length; i++) {
      List<Candidate> same = byRoute.getOrDefault(routes.get(i), List.of());
      capacity[i] = same.size();
      inUse[i] = (int) same.stream().filter(one -> isIn(current, one)).count();
    }
    int[] chosen = new RouteChoice(routes, capacity, inUse, wanted).best();
    List<Route> wantedRoutes = Arrays.stream(chosen).mapToObj(routes::get).toList();
    return new PathSelection(place(pick(wantedRoutes, byRoute, current), current));
  }

  private static boolean isIn(List<Candidate> list, Candidate candidate) {
    return list.stream().anyMatch(candidate::sameTuple);
  }

  /** One candidate for each route: a current one, else of the aliases that are used least. */
  private static List<Candidate> pick(
      List<Route> wanted, Map<Route, List<Candidate>> byRoute, List<Candidate> current) {
    List<Candidate> picked = new ArrayList<>();
    List<Route> open = new ArrayList<>();
    for (Route route : wanted) {
      byRoute.getOrDefault(route, List.of()).stream()
          .filter(one -> isIn(current, one) && !picked.contains(one))
          .findFirst()
          .ifPresentOrElse(picked::add, () -> open.add(route));
    }
    Map<InetAddress, Integer> uses = new HashMap<>();
    picked.forEach(one -> use(one, uses));
    for (Route route : open) {
      byRoute.getOrDefault(route, List.of()).stream()
          .filter(one -> !picked.contains(one))
          .min(Comparator.comparingInt(one -> uses(one, uses)))
          .ifPresent(
              one -> {
                picked.add(one);
                use(one, uses);
              });
    }
    return picked;
  }

  private static void use(Candidate candidate, Map<InetAddress, Integer> uses) {
    uses.merge(candidate.local(), 1, Integer::sum);
    uses.merge(candidate.remote(), 1, Integer::sum);
  }

  private static int uses(Candidate candidate, Map<InetAddress, Integer> uses) {
    return uses.getOrDefault(candidate.local(), 0) + uses.getOrDefault(candidate.remote(), 0);
  }

  /** Gives those that stay their old numbers, and the others the free ones. */
  private static List<Candidate> place(List<Candidate> picked, List<Candidate> current) {
    @Nullable Candidate[] places = new Candidate[picked.size()];
    List<Candidate> others = new ArrayList<>();
    for (Candidate candidate : picked) {
      int old = 0;
      while (old < current.size() && !current.get(old).sameTuple(candidate)) {
        old++;
      }
      if (old < Math.min(current.size(), places.length)) {
        places[old] = candidate;
      } else {
        others.add(candidate);
      }
    }
    List<Candidate> placed = new ArrayList<>();
    for (Candidate place : places) {
      placed.add(place == null ? others.removeFirst() : place);
    }
    return placed;
  }
}
