package io.maestro.session;

import io.maestro.api.RouteReport;
import io.maestro.net.PathPlan;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the paths of one connection go: as planned, or else to its remotes in turn. Changed on the
 * session's loop, read from any thread.
 */
final class PathPlans {
  private static final RouteReport UNPLANNED =
      RouteReport.unknown("the route was not chosen: the network decides");

  private final List<InetAddress> locals;
  private final List<InetSocketAddress> remotes;
  private volatile List<@Nullable PathPlan> planned = List.of();
  private final Set<InetSocketAddress> tried = new HashSet<>();
  private int firstRemote;

  PathPlans(List<InetAddress> locals, List<InetSocketAddress> remotes) {
    this.locals = locals;
    this.remotes = remotes;
  }

  /** Takes over the plans of the paths, by id; those of other paths go in turn. */
  void planned(List<PathPlan> plans) {
    planned = new ArrayList<>(plans);
  }

  /** Where the path goes. */
  PathPlan of(int id) {
    PathPlan plan = plannedOrNull(id);
    if (plan != null) {
      return plan;
    }
    InetSocketAddress remote = remotes.get((firstRemote + id) % remotes.size());
    return new PathPlan(LocalAddresses.of(id, locals, remote), remote, UNPLANNED);
  }

  /** The plans in force of the paths below {@code count}. */
  List<PathPlan> all(int count) {
    List<PathPlan> all = new ArrayList<>();
    for (int id = 0; id < count; id++) {
      all.add(of(id));
    }
    return all;
  }

  /** What is known of the route of a path. Any thread. */
  RouteReport routeOf(int id) {
    PathPlan plan = plannedOrNull(id);
    return plan == null ? UNPLANNED : plan.route();
  }

  /** A path goes elsewhere from its next connect on; null: unplanned. */
  void replace(int id, @Nullable PathPlan plan) {
    List<@Nullable PathPlan> next = new ArrayList<>(planned);
    while (next.size() <= id) {
      next.add(null);
    }
    next.set(id, plan);
    planned = next;
  }

  boolean isPlanned(int id) {
    return plannedOrNull(id) != null;
  }

  private @Nullable PathPlan plannedOrNull(int id) {
    List<@Nullable PathPlan> current = planned;
    return id < current.size() ? current.get(id) : null;
  }

  /**
   * Makes path 0 try a remote that it has not tried, in exchange with a path that was to go there.
   *
   * @return false when it has tried them all
   */
  boolean tryNextRemote() {
    tried.add(of(0).remote());
    int next = 0;
    while (next < remotes.size() && tried.contains(remotes.get(next))) {
      next++;
    }
    if (next == remotes.size()) {
      return false;
    }
    firstRemote = next;
    if (isPlanned(0)) {
      exchangeFirst(pathTo(remotes.get(next)));
    }
    return true;
  }

  private void exchangeFirst(int other) {
    PathPlan first = plannedOrNull(0);
    if (other < 0) {
      replace(0, null);
    } else {
      replace(0, plannedOrNull(other));
      replace(other, first);
    }
  }

  private int pathTo(InetSocketAddress remote) {
    List<@Nullable PathPlan> current = planned;
    for (int id = 0; id < current.size(); id++) {
      PathPlan plan = current.get(id);
      if (plan != null && plan.remote().equals(remote)) {
        return id;
      }
    }
    return -1;
  }
}
