package io.maestro.path;

import java.util.ArrayList;
import java.util.List;

/**
 * The links that packets take, in order.
 *
 * @param links from the sending host to the receiving one, each beginning where the last one ends
 */
public record Route(List<RouteLink> links) {

  /** Checks that the links follow each other. */
  public Route {
    links = List.copyOf(links);
    for (int i = 1; i < links.size(); i++) {
      if (!links.get(i).from().equals(links.get(i - 1).to())) {
        throw new IllegalArgumentException(
            "%s does not follow %s".formatted(links.get(i).name(), links.get(i - 1).name()));
      }
    }
  }

  /** The nodes between the hosts, in order. */
  public List<String> inner() {
    List<String> inner = new ArrayList<>();
    for (int i = 1; i < links.size(); i++) {
      inner.add(links.get(i).from());
    }
    return inner;
  }

  /** How many links of this route may be links of the other too. */
  int overlap(Route other) {
    return sharedWith(other).size();
  }

  /** The links of this route that may be links of the other too. */
  List<RouteLink> sharedWith(Route other) {
    return links.stream().filter(link -> other.links.stream().anyMatch(link::mayBe)).toList();
  }
}
