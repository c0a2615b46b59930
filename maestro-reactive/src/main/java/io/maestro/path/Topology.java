package io.maestro.path;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A fabric: hosts and switches, the links between them, and how each switch chooses among next
 * hops. Immutable; any thread. {@link TopologyJson} reads one from a file; a controller may make
 * one.
 *
 * <p>Packets take shortest routes, of which a switch chooses by its hash; its next hops are in the
 * order of its links here. Hosts pass nothing on.
 */
public final class Topology {
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final List<Link> links;
  private final Map<String, List<Link>> outgoing = new HashMap<>();
  private final Map<InetAddress, Node> owners = new HashMap<>();

  /**
   * A host or a switch.
   *
   * @param name unique
   * @param host whether it is a host
   * @param addresses all of a host's addresses; of a switch those besides its links'
   * @param hash how it chooses among next hops; null when that is not known
   */
  public record Node(
      String name, boolean host, List<InetAddress> addresses, @Nullable EcmpHash hash) {
    /** Takes a copy. */
    public Node {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * A link in one direction.
   *
   * @param from name of the node that sends onto it
   * @param to name of the other node
   * @param bitsPerSecond its rate, 0 when unknown or without a limit
   * @param weight of the next hop that it is, positive
   * @param ends the addresses of its ends
   */
  public record Link(String from, String to, long bitsPerSecond, int weight, Ends ends) {}

  /**
   * Addresses of a link's ends, by which a probe's answer tells it from others.
   *
   * @param from address of the sending end; null when unknown
   * @param to address of the receiving end; null when unknown
   * @param hostAddresses the host's addresses that this link is for, where a host has several
   *     links; empty for all
   */
  public record Ends(
      @Nullable InetAddress from, @Nullable InetAddress to, List<InetAddress> hostAddresses) {
    /** Nothing is known of the addresses. */
    public static final Ends UNKNOWN = new Ends(null, null, List.of());

    /** Takes a copy. */
    public Ends {
      hostAddresses = List.copyOf(hostAddresses);
    }

    boolean carries(InetAddress hostAddress) {
      return hostAddresses.isEmpty() || hostAddresses.contains(hostAddress);
    }
  }

  /**
   * A checked topology.
   *
   * @throws TopologyException when a name is used twice or not at all, or a value is out of range
   */
  public Topology(List<Node> nodes, List<Link> links) {
    this.links = List.copyOf(links);
    TopologyRules.check(nodes, links);
    for (Node node : nodes) {
      this.nodes.put(node.name(), node);
      outgoing.put(node.name(), new ArrayList<>());
      node.addresses().forEach(address -> owners.put(address, node));
    }
    for (Link link : links) {
      outgoing.getOrDefault(link.from(), new ArrayList<>()).add(link);
      own(link.ends().from(), link.from());
      own(link.ends().to(), link.to());
    }
  }

  private void own(@Nullable InetAddress address, String name) {
    Node node = nodes.get(name);
    if (address != null && node != null) {
      owners.putIfAbsent(address, node);
    }
  }

  /** All nodes, in order. */
  public List<Node> nodes() {
    return List.copyOf(nodes.values());
  }

  /** All links, in order. */
  public List<Link> links() {
    return links;
  }

  /** The node that has an address. */
  public Optional<Node> owner(InetAddress address) {
    return Optional.ofNullable(owners.get(address));
  }

  @Nullable Node node(String name) {
    return nodes.get(name);
  }

  /** The links that a node sends onto, in order. */
  List<Link> outgoing(String name) {
    return outgoing.getOrDefault(name, List.of());
  }

  /** A link as part of a route. */
  RouteLink routeLink(Link link) {
    int lane = 0;
    for (Link other : outgoing(link.from())) {
      if (other.equals(link)) {
        break;
      }
      lane += other.to().equals(link.to()) ? 1 : 0;
    }
    return new RouteLink(link.from(), link.to(), lane, link.bitsPerSecond());
  }

  /**
   * The link between two nodes that a probe saw.
   *
   * @param seen the address that answered at the far end; null when unknown
   * @return empty when there is none between them
   */
  public Optional<RouteLink> link(String from, String to, @Nullable InetAddress seen) {
    List<Link> between = outgoing(from).stream().filter(link -> link.to().equals(to)).toList();
    return between.stream()
        .filter(link -> seen != null && seen.equals(link.ends().to()))
        .findFirst()
        .or(() -> between.stream().findFirst())
        .map(this::routeLink);
  }

  /** The route that a flow takes, if it can be predicted. */
  public Prediction predict(FiveTuple flow) {
    return new RoutePredictor(this).predict(flow);
  }
}
