package io.maestro.route;

import io.maestro.net.Hop;
import io.maestro.net.LocalHost;
import io.maestro.net.ProbedRoute;
import io.maestro.path.Route;
import io.maestro.path.RouteLink;
import io.maestro.path.Topology;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts what probes saw into the words of the topology: switches by name, links with their rates.
 * What it does not know goes by its address.
 */
final class ProbedRoutes {
  private static final String PEER = "peer";

  private final @Nullable Topology topology;

  ProbedRoutes(@Nullable Topology topology) {
    this.topology = topology;
  }

  /**
   * The route that was seen; what lies behind its last hop is unknown unless the peer was reached.
   */
  Route of(ProbedRoute probed) {
    List<String> names = new ArrayList<>(List.of(source(probed.target().local().getAddress())));
    List<@Nullable InetAddress> addresses = new ArrayList<>();
    addresses.add(null);
    for (Hop hop : probed.hops()) {
      names.add(name(hop.address()));
      addresses.add(hop.address());
    }
    if (!probed.reached()) {
      names.add(RouteLink.UNKNOWN);
      addresses.add(null);
    }
    names.add(destination(probed.target().remote().getAddress()));
    addresses.add(null);
    List<RouteLink> links = new ArrayList<>();
    for (int i = 1; i < names.size(); i++) {
      links.add(link(names.get(i - 1), names.get(i), addresses.get(i)));
    }
    return new Route(links);
  }

  /** The route of which nothing but the ends is known. */
  Route unknown(Tuple tuple) {
    String from = source(tuple.local().getAddress());
    String to = destination(tuple.remote().getAddress());
    return new Route(
        List.of(link(from, RouteLink.UNKNOWN, null), link(RouteLink.UNKNOWN, to, null)));
  }

  private RouteLink link(String from, String to, @Nullable InetAddress seen) {
    RouteLink bare = new RouteLink(from, to, 0, 0);
    return topology == null ? bare : topology.link(from, to, seen).orElse(bare);
  }

  private @Nullable String owner(InetAddress address) {
    return topology == null ? null : topology.owner(address).map(Topology.Node::name).orElse(null);
  }

  private String name(@Nullable InetAddress address) {
    if (address == null) {
      return RouteLink.UNKNOWN;
    }
    String owner = owner(address);
    return owner == null ? address.getHostAddress() : owner;
  }

  /** Aliases of one interface share its link. */
  private String source(InetAddress local) {
    String owner = owner(local);
    return owner == null ? LocalHost.interfaceOf(local).orElse(local.getHostAddress()) : owner;
  }

  /** For all that is known, all of the peer's aliases behind one router share a link. */
  private String destination(InetAddress remote) {
    String owner = owner(remote);
    return owner == null ? PEER : owner;
  }
}
