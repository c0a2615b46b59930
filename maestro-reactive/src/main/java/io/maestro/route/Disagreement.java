package io.maestro.route;

import io.maestro.path.Route;
import io.maestro.path.RouteLink;
import java.util.List;

/** Says how a probed route differs from the predicted one, and what that points to. */
final class Disagreement {
  private Disagreement() {}

  /** Empty when every hop that answered is as predicted. */
  static String between(Route predicted, Route probed) {
    List<String> computed = predicted.inner();
    List<String> seen = probed.inner();
    for (int i = 0; i < Math.min(computed.size(), seen.size()); i++) {
      if (!seen.get(i).equals(RouteLink.UNKNOWN) && !seen.get(i).equals(computed.get(i))) {
        String chooser = i == 0 ? "this host" : computed.get(i - 1);
        return "hop %d was to be %s and is %s: the hash, its seed or the links of %s are not as the topology says"
            .formatted(i + 1, computed.get(i), seen.get(i), chooser);
      }
    }
    if (seen.size() > computed.size()) {
      return "there are more hops than the %d predicted: the topology lacks a switch"
          .formatted(computed.size());
    }
    boolean whole = !seen.contains(RouteLink.UNKNOWN);
    return whole && seen.size() < computed.size()
        ? "there are %d hops instead of the %d predicted: the topology has a switch too many"
            .formatted(seen.size(), computed.size())
        : "";
  }
}
