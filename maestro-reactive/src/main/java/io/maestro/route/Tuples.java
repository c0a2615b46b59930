package io.maestro.route;

import io.maestro.net.LocalHost;
import io.maestro.net.PathPlanner.Request;
import io.maestro.verbs.WireProtocol;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * Makes the 5-tuples that are tried for a connection: pairs of aliases with random source ports.
 */
final class Tuples {
  private static final int LEAST = 64;
  private static final int FOR_EACH_PATH = 16;

  private Tuples() {}

  /** One local and one remote address. */
  record Pair(InetAddress local, InetSocketAddress remote) {}

  /**
   * So many that, of as many equal routes as paths, the chance to miss any is below one in a
   * million.
   */
  static int count(int paths) {
    return Math.max(LEAST, FOR_EACH_PATH * paths);
  }

  /**
   * The pairs that have routes to choose: of one family, and not on this host. Each alias is in as
   * few as possible, as the peer may see a probe from each pair.
   */
  static List<Pair> pairs(Request request) {
    List<InetSocketAddress> remotes = request.remotes();
    int count = Math.max(request.locals().size(), remotes.size());
    Set<Pair> pairs = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      InetSocketAddress remote = remotes.get(i % remotes.size());
      local(request, remote, i)
          .filter(local -> local.getClass().equals(remote.getAddress().getClass()))
          .filter(local -> !local.isLoopbackAddress())
          .filter(local -> LocalHost.interfaceOf(remote.getAddress()).isEmpty())
          .ifPresent(local -> pairs.add(new Pair(local, remote)));
    }
    return List.copyOf(pairs);
  }

  private static Optional<InetAddress> local(Request request, InetSocketAddress remote, int i) {
    List<InetAddress> locals = request.locals();
    return locals.isEmpty()
        ? LocalHost.sourceFor(remote)
        : Optional.of(locals.get(i % locals.size()));
  }

  /** Tuples of all pairs in turn; each looks different on the wire. */
  static List<Tuple> of(List<Pair> pairs, int count, WireProtocol wire, IntUnaryOperator below) {
    List<Integer> ports = LocalHost.ports(2 * count, below);
    List<Tuple> tuples = new ArrayList<>();
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < ports.size() && tuples.size() < count; i++) {
      Pair pair = pairs.get(i % pairs.size());
      Tuple tuple = new Tuple(new InetSocketAddress(pair.local(), ports.get(i)), pair.remote());
      if (seen.add(tuple.onTheWire(wire))) {
        tuples.add(tuple);
      }
    }
    return tuples;
  }
}
