package io.maestro.path;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Max-min fair rates of flows over links of known rate: the rates that grow until a link is full.
 */
final class FairShares {
  private final double[] rates;
  private final int[][] linksOfRoute;

  FairShares(List<Route> routes) {
    Map<String, Integer> ids = new HashMap<>();
    List<Double> known = new ArrayList<>();
    linksOfRoute = new int[routes.size()][];
    for (int i = 0; i < linksOfRoute.length; i++) {
      linksOfRoute[i] =
          routes.get(i).links().stream()
              .filter(link -> link.bitsPerSecond() > 0)
              .mapToInt(link -> id(link, ids, known))
              .toArray();
    }
    rates = known.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static int id(RouteLink link, Map<String, Integer> ids, List<Double> known) {
    return ids.computeIfAbsent(
        link.name(),
        name -> {
          known.add((double) link.bitsPerSecond());
          return known.size() - 1;
        });
  }

  /** The sum of the rates of one flow for each index of a route; no limit counts nothing. */
  double total(int[] flows) {
    return Arrays.stream(rates(flows)).filter(Double::isFinite).sum();
  }

  /** The rate of one flow for each index of a route; infinite when no link limits it. */
  double[] rates(int[] flows) {
    double[] result = new double[flows.length];
    Arrays.fill(result, Double.POSITIVE_INFINITY);
    double[] left = rates.clone();
    int[] growing = growing(flows);
    int full = fullest(left, growing);
    while (full >= 0) {
      double share = Math.max(0, left[full] / growing[full]);
      for (int i = 0; i < flows.length; i++) {
        int[] links = linksOfRoute[flows[i]];
        if (Double.isInfinite(result[i]) && contains(links, full)) {
          result[i] = share;
          for (int link : links) {
            left[link] -= share;
            growing[link]--;
          }
        }
      }
      full = fullest(left, growing);
    }
    return result;
  }

  private int[] growing(int[] flows) {
    int[] growing = new int[rates.length];
    for (int flow : flows) {
      for (int link : linksOfRoute[flow]) {
        growing[link]++;
      }
    }
    return growing;
  }

  private static boolean contains(int[] links, int wanted) {
    for (int link : links) {
      if (link == wanted) {
        return true;
      }
    }
    return false;
  }

  private static int fullest(double[] left, int[] growing) {
    int fullest = -1;
    for (int link = 0; link < left.length; link++) {
      boolean earlier =
          fullest < 0 || left[link] * growing[fullest] < left[fullest] * growing[link];
      if (growing[link] > 0 && earlier) {
        fullest = link;
      }
    }
    return fullest;
  }
}
