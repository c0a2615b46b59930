package io.maestro.path;

import java.util.Arrays;
import java.util.List;

/**
 * Chooses some of a number of different routes, each as often as there are candidates with it.
 * Small cases are tried in full; larger ones begin greedily and are improved by exchanging one at a
 * time. Deterministic.
 */
final class RouteChoice {
  /** Most combinations that are tried in full. */
  static final long EXHAUSTIVE = 20_000;

  /** Most combinations that are looked at otherwise; each takes microseconds. */
  private static final int MAX_LOOKS = 100_000;

  private static final int MAX_STARTS = 16;

  private final int paths;
  private final int[] capacity;
  private final int[] current;
  private final int[] links;
  private final int[][] overlaps;
  private final FairShares shares;
  private final long exhaustive;
  private int looks;

  /**
   * @param capacity how many candidates have each route
   * @param current how many paths have each route now
   * @param paths how many are to be chosen, at most the sum of the capacities
   */
  RouteChoice(List<Route> routes, int[] capacity, int[] current, int paths) {
    this(routes, capacity, current, paths, EXHAUSTIVE);
  }

  RouteChoice(List<Route> routes, int[] capacity, int[] current, int paths, long exhaustive) {
    this.paths = paths;
    this.capacity = capacity.clone();
    this.current = current.clone();
    this.shares = new FairShares(routes);
    this.exhaustive = exhaustive;
    links = routes.stream().mapToInt(route -> route.links().size()).toArray();
    overlaps = new int[links.length][links.length];
    for (int i = 0; i < links.length; i++) {
      for (int j = 0; j <= i; j++) {
        overlaps[i][j] = routes.get(i).overlap(routes.get(j));
        overlaps[j][i] = overlaps[i][j];
      }
    }
  }

  /** The chosen routes' indices, in ascending order. */
  int[] best() {
    int[] best = combinations() <= exhaustive ? tryAll() : improve();
    Arrays.sort(best);
    return best;
  }

  /** Combinations with repetition, or a number above the limit. */
  private long combinations() {
    long count = 1;
    for (int i = 1; i <= paths && count <= exhaustive; i++) {
      count = count * (links.length + i - 1) / i;
    }
    return count;
  }

  RouteScore score(int[] chosen) {
    int overlap = 0;
    int length = 0;
    int[] used = new int[links.length];
    for (int i = 0; i < chosen.length; i++) {
      length += links[chosen[i]];
      used[chosen[i]]++;
      for (int j = 0; j < i; j++) {
        overlap += overlaps[chosen[i]][chosen[j]];
      }
    }
    int kept = 0;
    for (int route = 0; route < used.length; route++) {
      kept += Math.min(used[route], current[route]);
    }
    return new RouteScore(shares.total(chosen), overlap, length, kept);
  }

  // ---- in full

  private int[] tryAll() {
    int[][] best = new int[1][];
    tryAll(new int[paths], 0, 0, best);
    return best[0];
  }

  private void tryAll(int[] chosen, int size, int from, int[][] best) {
    if (size == paths) {
      if (best[0] == null || score(chosen).compareTo(score(best[0])) > 0) {
        best[0] = chosen.clone();
      }
      return;
    }
    for (int route = from; route < links.length; route++) {
      if (count(chosen, size, route) < capacity[route]) {
        chosen[size] = route;
        tryAll(chosen, size + 1, route, best);
      }
    }
  }

  private static int count(int[] chosen, int size, int route) {
    int count = 0;
    for (int i = 0; i < size; i++) {
      count += chosen[i] == route ? 1 : 0;
    }
    return count;
  }

  // ---- step by step

  private int[] improve() {
    int[] best = exchange(greedy(-1));
    for (int first = 0; first < Math.min(links.length, MAX_STARTS); first++) {
      if (looks >= MAX_LOOKS) {
        break;
      }
      int[] other = exchange(greedy(first));
      best = score(other).compareTo(score(best)) > 0 ? other : best;
    }
    return best;
  }

  /** Adds the best route at each step, beginning with the current paths or with the given route. */
  private int[] greedy(int first) {
    int[] chosen = new int[0];
    if (first >= 0) {
      chosen = new int[] {first};
    } else {
      for (int route = 0; route < links.length; route++) {
        for (int i = 0; i < current[route] && chosen.length < paths; i++) {
          chosen = append(chosen, route);
        }
      }
    }
    while (chosen.length < paths) {
      int[] best = null;
      for (int route = 0; route < links.length; route++) {
        if (count(chosen, chosen.length, route) < capacity[route]) {
          int[] next = append(chosen, route);
          looks++;
          best = best == null || score(next).compareTo(score(best)) > 0 ? next : best;
        }
      }
      if (best == null) {
        throw new IllegalStateException("more paths than candidates");
      }
      chosen = best;
    }
    return chosen;
  }

  private static int[] append(int[] chosen, int route) {
    int[] next = Arrays.copyOf(chosen, chosen.length + 1);
    next[chosen.length] = route;
    return next;
  }

  private int[] exchange(int[] start) {
    int[] best = start.clone();
    RouteScore bestScore = score(best);
    boolean improved = true;
    while (improved && looks < MAX_LOOKS) {
      improved = false;
      for (int place = 0; place < best.length; place++) {
        for (int route = 0; route < links.length; route++) {
          if (route == best[place] || count(best, best.length, route) >= capacity[route]) {
            continue;
          }
          int[] next = best.clone();
          next[place] = route;
          looks++;
          RouteScore score = score(next);
          if (score.compareTo(bestScore) > 0) {
            best = next;
            bestScore = score;
            improved = true;
          }
        }
      }
    }
    return best;
  }
}
