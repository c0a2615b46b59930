package io.maestro.path;

import io.maestro.api.PathDirective;
import io.maestro.api.PathDirective.Mark;
import io.maestro.api.PathDirective.State;
import io.maestro.api.PathReport;
import io.maestro.api.PathSet;
import io.maestro.api.RouteReport;
import io.maestro.path.DisjointPaths.Member;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The policy of a controller that sees the whole fabric: for each connection of each host the paths
 * that do not get in each other's way, and max-min fair rates for all of them together.
 *
 * <p>Capacity is what the topology says. All connections count as if they had as much to send as
 * they can; leave out those that are idle. Rates are fair among paths, so a connection with more
 * disjoint paths gets more. Pure and deterministic; any thread.
 */
public final class FabricPlanner {
  private final Topology topology;

  /**
   * What one connection is to do.
   *
   * @param bitsPerSecond the fair rate of each chosen path by its number, in bits per second;
   *     infinite where no link of known rate limits it; empty when its routes are not known and it
   *     had better decide for itself
   * @param others the paths that are up and not chosen
   */
  public record Assignment(SortedMap<Integer, Double> bitsPerSecond, List<Integer> others) {

    /** What to tell the connection. */
    public List<PathDirective> directives() {
      List<PathDirective> all = new ArrayList<>();
      bitsPerSecond.keySet().forEach(path -> all.add(mark(path, State.GOOD)));
      State state = bitsPerSecond.isEmpty() ? State.GOOD : State.ASSUMED_BAD;
      others.forEach(path -> all.add(mark(path, state)));
      all.add(new PathDirective.Weights(weights()));
      return List.copyOf(all);
    }

    private static Mark mark(int path, State state) {
      return new Mark(new PathSet.Path(path), state);
    }

    private Map<Integer, Double> weights() {
      double sum = bitsPerSecond.values().stream().mapToDouble(Double::doubleValue).sum();
      if (!(sum > 0 && Double.isFinite(sum))) {
        return Map.of();
      }
      Map<Integer, Double> weights = new TreeMap<>();
      bitsPerSecond.forEach((path, rate) -> weights.put(path, rate / sum));
      return weights;
    }
  }

  /** A planner for the fabric of a topology. */
  public FabricPlanner(Topology topology) {
    this.topology = topology;
  }

  /**
   * Plans all connections.
   *
   * @param connections the latest report of the paths of each connection of each host, by a name of
   *     the connection
   */
  public SortedMap<String, Assignment> plan(Map<String, List<PathReport>> connections) {
    SortedMap<String, List<Integer>> others = new TreeMap<>();
    SortedMap<String, List<Member>> chosen = new TreeMap<>();
    DisjointPaths disjoint = new DisjointPaths();
    new TreeMap<>(connections)
        .forEach(
            (name, paths) -> {
              List<PathReport> up =
                  paths.stream().filter(path -> path.state() == PathReport.State.UP).toList();
              List<Member> candidates = candidates(up);
              List<Member> set =
                  candidates.size() < up.size() ? List.of() : disjoint.choose(candidates);
              chosen.put(name, set);
              others.put(
                  name,
                  up.stream()
                      .map(PathReport::id)
                      .filter(id -> set.stream().noneMatch(one -> one.path() == id))
                      .toList());
            });
    return assign(chosen, others);
  }

  private static SortedMap<String, Assignment> assign(
      SortedMap<String, List<Member>> chosen, SortedMap<String, List<Integer>> others) {
    List<Route> routes = chosen.values().stream().flatMap(List::stream).map(Member::route).toList();
    double[] rates = new FairShares(routes).rates(IntStream.range(0, routes.size()).toArray());
    SortedMap<String, Assignment> result = new TreeMap<>();
    int next = 0;
    for (Map.Entry<String, List<Member>> entry : chosen.entrySet()) {
      SortedMap<Integer, Double> byPath = new TreeMap<>();
      for (Member one : entry.getValue()) {
        byPath.put(one.path(), rates[next++]);
      }
      List<Integer> rest = others.getOrDefault(entry.getKey(), List.of());
      result.put(entry.getKey(), new Assignment(byPath, rest));
    }
    return result;
  }

  private List<Member> candidates(List<PathReport> up) {
    List<Member> candidates = new ArrayList<>();
    for (PathReport path : up) {
      route(path).ifPresent(route -> candidates.add(new Member(path.id(), route)));
    }
    return candidates;
  }

  /** The route as it was probed, or else predicted there, or else predicted here. */
  private Optional<Route> route(PathReport path) {
    InetAddress local = path.local().getAddress();
    InetAddress remote = path.remote().getAddress();
    if (local == null || remote == null) {
      return Optional.empty();
    }
    RouteReport known = path.route();
    return along(local, known.probed(), remote)
        .or(() -> along(local, known.predicted(), remote))
        .or(() -> Optional.ofNullable(predicted(path, local, remote)));
  }

  private @Nullable Route predicted(PathReport path, InetAddress local, InetAddress remote) {
    if (local.getAddress().length != remote.getAddress().length) {
      return null;
    }
    return topology
        .predict(
            new FiveTuple(
                local, path.local().getPort(), remote, path.remote().getPort(), FiveTuple.TCP))
        .route();
  }

  private Optional<Route> along(InetAddress local, List<String> hops, InetAddress remote) {
    Optional<Topology.Node> from = topology.owner(local);
    Optional<Topology.Node> to = topology.owner(remote);
    if (hops.isEmpty() || from.isEmpty() || to.isEmpty()) {
      return Optional.empty();
    }
    List<String> names = new ArrayList<>(hops);
    names.addFirst(from.get().name());
    names.add(to.get().name());
    List<RouteLink> links = new ArrayList<>();
    for (int i = 1; i < names.size(); i++) {
      Optional<RouteLink> link = topology.link(names.get(i - 1), names.get(i), null);
      if (link.isEmpty()) {
        return Optional.empty();
      }
      links.add(link.get());
    }
    return Optional.of(new Route(links));
  }
}
