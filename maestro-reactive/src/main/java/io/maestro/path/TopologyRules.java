package io.maestro.path;

import io.maestro.path.Topology.Link;
import io.maestro.path.Topology.Node;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a topology must hold to. */
final class TopologyRules {
  private TopologyRules() {}

  static void check(List<Node> nodes, List<Link> links) {
    Set<String> names = new HashSet<>();
    Map<InetAddress, String> owners = new HashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get(i);
      String place = "nodes[%d]".formatted(i);
      require(!node.name().isBlank(), place + ".name", "must not be empty");
      require(
          names.add(node.name()), place + ".name", "'%s' is there twice".formatted(node.name()));
      for (InetAddress address : node.addresses()) {
        String other = owners.putIfAbsent(address, node.name());
        require(
            other == null,
            place + ".addresses",
            "%s belongs to '%s' already".formatted(address.getHostAddress(), other));
      }
    }
    for (int i = 0; i < links.size(); i++) {
      check(links.get(i), "links[%d]".formatted(i), names);
    }
  }

  private static void check(Link link, String place, Set<String> names) {
    require(
        names.contains(link.from()),
        place + ".from",
        "there is no node '%s'".formatted(link.from()));
    require(names.contains(link.to()), place + ".to", "there is no node '%s'".formatted(link.to()));
    require(
        !link.from().equals(link.to()),
        place + ".to",
        "a link must join two nodes, not '%s' with itself".formatted(link.to()));
    require(link.weight() > 0, place + ".weight", "must be positive, was " + link.weight());
    require(
        link.bitsPerSecond() >= 0,
        place + ".mbit",
        "must not be negative, was " + link.bitsPerSecond());
  }

  private static void require(boolean holds, String place, String problem) {
    if (!holds) {
      throw new TopologyException(0, place, problem);
    }
  }
}
