package io.maestro.route;

import io.maestro.net.LocalHost;
import io.maestro.net.PathPlanner.Request;
import io.maestro.verbs.WireProtocol;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/** Makes the 5-tuples that are tried for a connection: pairs of aliases with random source ports. */
final class Tuples {
  private static final int LEAST = 64;
  private static final int FOR_EACH_PATH = 16;

  private Tuples() {}

  /** One local and one remote address. */
  record Pair(InetAddress local, InetSocketAddress remote) {}

  /**
   * So many that, of as many equal routes as paths, the chance to miss any is below one in a million.
   */
  static int count(int paths) {
    return Math.max(LEAST, FOR_EACH_PATH * paths);
  }

  /** The pairs that have routes to choose: of one family, and not on this host. */
  static List<Pair> pairs(Request request) {
    Set<Pair> pairs = new HashSet<>();
    List<Pair> ordered = new ArrayList<>();
    for (InetSocketAddress remote : request.remotes()) {
      for (InetAddress local : locals(request, remote)) {
        boolean oneFamily = local.getClass().equals(remote.getAddress().getClass());
        boolean loopback = local.isLoopbackAddress() || remote.getAddress().isLoopbackAddress();
        boolean here = LocalHost.interfaceOf(remote.getAddress()).isPresent();
        Pair pair = new Pair(local, remote);
        if (oneFamily && !loopback && !here && pairs.add(pair)) {
          ordered.add(pair);
        }
      }
    }
    return ordered;
  }

  private static List<InetAddress> locals(Request request, InetSocketAddress remote) {
    return request.locals().isEmpty()
        ? LocalHost.sourceFor(remote).stream().toList()
        : request.locals();
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
