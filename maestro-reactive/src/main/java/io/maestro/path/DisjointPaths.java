package io.maestro.path;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses for one connection after the other paths that do not share links, and of those that are
 * as good the ones over links that fewer others have been given. Deterministic; not thread-safe.
 */
final class DisjointPaths {
  private final Map<RouteLink, Integer> pathsOnLink = new HashMap<>();

  /** A path of a connection, and its route. */
  record Member(int path, Route route) {}

  /**
   * A set to which none can be added of paths that share no link but those that all of them share.
   * It is as large as taking those first that are in the way of the fewest others makes it.
   */
  List<Member> choose(List<Member> members) {
    Map<Member, List<RouteLink>> own = own(members);
    List<Member> left = new ArrayList<>(members);
    List<Member> chosen = new ArrayList<>();
    while (!left.isEmpty()) {
      Member best = best(left, own);
      chosen.add(best);
      best.route().links().forEach(link -> pathsOnLink.merge(link, 1, Integer::sum));
      left.removeIf(one -> one.equals(best) || conflict(one, best, own));
    }
    return chosen;
  }

  /** The links of each that not all have. */
  private static Map<Member, List<RouteLink>> own(List<Member> members) {
    Map<Member, List<RouteLink>> own = new HashMap<>();
    for (Member member : members) {
      List<RouteLink> links = new ArrayList<>(member.route().links());
      links.removeIf(link -> members.stream().allMatch(m -> m.route().links().contains(link)));
      own.put(member, links);
    }
    return own;
  }

  private static boolean conflict(Member one, Member other, Map<Member, List<RouteLink>> own) {
    List<RouteLink> links = own.getOrDefault(other, List.of());
    return own.getOrDefault(one, List.of()).stream().anyMatch(links::contains);
  }

  private Member best(List<Member> left, Map<Member, List<RouteLink>> own) {
    Member best = left.getFirst();
    long fewest = Long.MAX_VALUE;
    double least = Double.POSITIVE_INFINITY;
    for (Member one : left) {
      long conflicts = left.stream().filter(other -> conflict(one, other, own)).count();
      double load = load(one);
      if (conflicts < fewest || (conflicts == fewest && load < least)) {
        best = one;
        fewest = conflicts;
        least = load;
      }
    }
    return best;
  }

  /** Paths for each bit per second on the fullest link, with this one. */
  private double load(Member member) {
    double most = 0;
    for (RouteLink link : member.route().links()) {
      if (link.bitsPerSecond() > 0) {
        most = Math.max(most, (pathsOnLink.getOrDefault(link, 0) + 1.0) / link.bitsPerSecond());
      }
    }
    return most;
  }
}
