package io.maestro.path;

import java.util.ArrayList;
import java.util.List;

/**
 * The chosen paths.
 *
 * @param paths by path number; fewer than asked for when there were not enough candidates
 */
public record PathSelection(List<Candidate> paths) {
  /** Takes a copy. */
  public PathSelection {
    paths = List.copyOf(paths);
  }

  /** Names of the links of a path that another path uses, or may use, too. */
  public List<String> sharedLinks(int path) {
    List<String> shared = new ArrayList<>();
    for (RouteLink link : paths.get(path).route().links()) {
      if (isUsedByOther(path, link)) {
        shared.add(link.name());
      }
    }
    return shared;
  }

  private boolean isUsedByOther(int path, RouteLink link) {
    for (int other = 0; other < paths.size(); other++) {
      if (other != path && paths.get(other).route().links().stream().anyMatch(link::mayBe)) {
        return true;
      }
    }
    return false;
  }

  /**
   * How many pairs of a link and two paths that use it, or may use it, there are: 0 is disjoint.
   */
  public int overlap() {
    int overlap = 0;
    for (int i = 0; i < paths.size(); i++) {
      for (int j = 0; j < i; j++) {
        overlap += paths.get(i).route().overlap(paths.get(j).route());
      }
    }
    return overlap;
  }

  /**
   * What all paths can carry together in bits per second when they share their links fairly; links
   * of unknown rate set no limit, and a path of such links alone counts nothing.
   */
  public double bitsPerSecond() {
    List<Route> routes = paths.stream().map(Candidate::route).toList();
    int[] each = new int[routes.size()];
    for (int i = 0; i < each.length; i++) {
      each[i] = i;
    }
    return new FairShares(routes).total(each);
  }
}
