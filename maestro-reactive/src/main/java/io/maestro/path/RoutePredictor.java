package io.maestro.path;

import io.maestro.path.Topology.Link;
import io.maestro.path.Topology.Node;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Walks a flow through a topology: at each node along a shortest route, chosen by the node's hash.
 */
final class RoutePredictor {
  private final Topology topology;

  RoutePredictor(Topology topology) {
    this.topology = topology;
  }

  Prediction predict(FiveTuple flow) {
    Node source = topology.owner(flow.source()).orElse(null);
    Node destination = topology.owner(flow.destination()).orElse(null);
    if (source == null || destination == null) {
      InetAddress stranger = source == null ? flow.source() : flow.destination();
      return Prediction.unknown("%s is not in the topology".formatted(stranger.getHostAddress()));
    }
    Map<String, Integer> distances = distances(destination, flow.destination());
    List<RouteLink> taken = new ArrayList<>();
    Node at = source;
    while (!at.equals(destination)) {
      List<Link> next = nextHops(at, flow, distances, destination);
      if (next.isEmpty()) {
        return Prediction.unknown(
            "the topology has no route from %s to %s"
                .formatted(at.name(), flow.destination().getHostAddress()));
      }
      EcmpHash hash = at.hash();
      if (next.size() > 1 && hash == null) {
        return Prediction.unknown(
            "%s has %d next hops and its hash is not known".formatted(at.name(), next.size()));
      }
      int[] weights = next.stream().mapToInt(Link::weight).toArray();
      Link chosen =
          hash == null || next.size() == 1 ? next.get(0) : next.get(hash.choose(flow, weights));
      taken.add(topology.routeLink(chosen));
      at = require(chosen.to());
    }
    return Prediction.of(new Route(taken));
  }

  private List<Link> nextHops(
      Node at, FiveTuple flow, Map<String, Integer> distances, Node destination) {
    int here = distances.getOrDefault(at.name(), Integer.MAX_VALUE);
    return topology.outgoing(at.name()).stream()
        .filter(link -> distances.getOrDefault(link.to(), Integer.MAX_VALUE) < here)
        .filter(link -> !at.host() || link.ends().carries(flow.source()))
        .filter(
            link ->
                !link.to().equals(destination.name()) || link.ends().carries(flow.destination()))
        .toList();
  }

  /** How many links each node is from the destination; hosts pass nothing on. */
  private Map<String, Integer> distances(Node destination, InetAddress address) {
    Map<String, List<Link>> incoming = new HashMap<>();
    for (Link link : topology.links()) {
      boolean usable = !link.to().equals(destination.name()) || link.ends().carries(address);
      if (usable) {
        incoming.computeIfAbsent(link.to(), to -> new ArrayList<>()).add(link);
      }
    }
    Map<String, Integer> distances = new HashMap<>(Map.of(destination.name(), 0));
    ArrayDeque<Node> open = new ArrayDeque<>(List.of(destination));
    while (!open.isEmpty()) {
      Node node = open.removeFirst();
      for (Link link : incoming.getOrDefault(node.name(), List.of())) {
        int distance = distances.getOrDefault(node.name(), 0) + 1;
        Node from = require(link.from());
        if (distances.putIfAbsent(from.name(), distance) == null && !from.host()) {
          open.addLast(from);
        }
      }
    }
    return distances;
  }

  private Node require(String name) {
    Node node = topology.node(name);
    if (node == null) {
      throw new IllegalStateException("a checked topology has no node " + name);
    }
    return node;
  }
}
