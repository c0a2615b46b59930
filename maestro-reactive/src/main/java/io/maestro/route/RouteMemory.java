package io.maestro.route;

import io.maestro.net.PathPlan;
import io.maestro.net.PathPlanner.Request;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What planning has found out for each peer, so that a path can come back without asking again. */
final class RouteMemory {
  private static final int MAX_PEERS = 256;
  private static final int MAX_TUPLES = 1024;

  private final Map<Peer, Map<Tuple, Evidence>> peers =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Peer, Map<Tuple, Evidence>> eldest) {
          return size() > MAX_PEERS;
        }
      };

  private record Peer(List<InetAddress> locals, List<InetSocketAddress> remotes) {
    static Peer of(Request request) {
      return new Peer(request.locals(), request.remotes());
    }
  }

  static Tuple tuple(PathPlan plan) {
    return new Tuple(plan.local(), plan.remote());
  }

  /** Adds what is known; what was known before of the same tuples is forgotten. */
  synchronized void learn(Request request, List<Evidence> known) {
    Map<Tuple, Evidence> tuples =
        peers.computeIfAbsent(Peer.of(request), peer -> new LinkedHashMap<>());
    for (Evidence evidence : known) {
      tuples.remove(evidence.tuple());
      tuples.put(evidence.tuple(), evidence);
    }
    while (tuples.size() > MAX_TUPLES) {
      tuples.remove(tuples.keySet().iterator().next());
    }
  }

  /** The network has changed. */
  synchronized void forget(Request request) {
    peers.remove(Peer.of(request));
  }

  /** All that is known, what was used longest ago first. */
  synchronized List<Evidence> recall(Request request) {
    return new ArrayList<>(peers.getOrDefault(Peer.of(request), Map.of()).values());
  }

  /** A tuple has been given to a path. */
  synchronized void use(Request request, Tuple tuple) {
    Map<Tuple, Evidence> tuples = peers.getOrDefault(Peer.of(request), Map.of());
    Evidence evidence = tuples.remove(tuple);
    if (evidence != null) {
      tuples.put(tuple, evidence);
    }
  }
}
