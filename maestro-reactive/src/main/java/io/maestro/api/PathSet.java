package io.maestro.api;

import java.net.InetAddress;
import java.util.List;

/** Some paths of a connection, by what they have in common. */
public sealed interface PathSet {

  /** Whether a path is one of them, as it is now. */
  boolean contains(PathReport path);

  /**
   * One path.
   *
   * @param id its number within the connection, from 0
   */
  record Path(int id) implements PathSet {
    @Override
    public boolean contains(PathReport path) {
      return path.id() == id;
    }
  }

  /**
   * All paths between two addresses, whatever their ports.
   *
   * @param local of the side that is told
   * @param remote of its peer
   */
  record Pair(InetAddress local, InetAddress remote) implements PathSet {
    @Override
    public boolean contains(PathReport path) {
      return local.equals(path.local().getAddress()) && remote.equals(path.remote().getAddress());
    }
  }

  /**
   * All paths whose route has a link from one switch to another: the probed route, or the predicted
   * one where nothing was probed.
   *
   * @param from name of the switch that sends onto the link, as in {@link RouteReport}
   * @param to name of the next one
   */
  record Link(String from, String to) implements PathSet {
    @Override
    public boolean contains(PathReport path) {
      RouteReport route = path.route();
      List<String> hops = route.probed().isEmpty() ? route.predicted() : route.probed();
      for (int i = 1; i < hops.size(); i++) {
        if (hops.get(i - 1).equals(from) && hops.get(i).equals(to)) {
          return true;
        }
      }
      return false;
    }
  }
}
