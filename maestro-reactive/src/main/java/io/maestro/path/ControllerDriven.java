package io.maestro.path;

import io.maestro.api.ControlReport.Refusal;
import io.maestro.api.PathDirective;
import io.maestro.api.PathDirective.State;
import io.maestro.api.PathEvent;
import io.maestro.api.PathReport;
import io.maestro.api.PathSample;
import io.maestro.api.PathSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The strategy that follows a controller, and is another one whenever there is no controller to
 * follow. The other strategy goes on planning all the time, so that it can take over at once, and
 * has the say in all that the controller leaves open.
 *
 * <p>Pure; one connection's loop. Whoever calls says when the controller has come and gone.
 */
public final class ControllerDriven implements LoadBalancer {
  /** The name in the configuration. */
  public static final String NAME = "controller-driven";

  /** Most sets of paths that marks are kept of: many times what the paths of a connection have. */
  static final int MOST_MARKS = 1024;

  private final LoadBalancer local;
  private final int floor;
  private final Map<PathSet, State> marks = new LinkedHashMap<>();
  private final Map<Integer, State> states = new HashMap<>();

  /** In the order in which they would be allowed again: what was denied last first. */
  private final List<Integer> denied = new ArrayList<>();

  private final TreeSet<Integer> overruled = new TreeSet<>();
  private Map<Integer, Double> weights = Map.of();
  private List<PathReport> paths = List.of();
  private @Nullable PathPlan localPlan;
  private boolean following;

  /**
   * A strategy for one connection.
   *
   * @param local what decides without a controller
   * @param floor how many usable paths a controller must leave, positive
   */
  public ControllerDriven(LoadBalancer local, int floor) {
    this.local = local;
    this.floor = floor;
  }

  /** Follows a controller from now on, of whom nothing has been heard. */
  public void follow() {
    leave();
    following = true;
  }

  /** The controller is lost: forgets all it said. */
  public void leave() {
    following = false;
    marks.clear();
    overruled.clear();
    weights = Map.of();
    resolve();
  }

  /** Whether a controller is followed. */
  public boolean isFollowing() {
    return following;
  }

  /**
   * Takes the paths as they are now, which tell what the controller's sets contain.
   *
   * @return whether this changes what may carry chunks, so that it must be planned anew
   */
  public boolean paths(List<PathReport> reports) {
    paths = List.copyOf(reports);
    Map<Integer, State> before = Map.copyOf(states);
    resolve();
    return !before.equals(states);
  }

  /** Paths that are denied, but had to be kept usable when it was planned last. */
  public List<Integer> overruled() {
    return List.copyOf(overruled);
  }

  /**
   * Takes a directive; plans made from now on obey it.
   *
   * @return what of it cannot be done
   */
  public List<Refusal> accept(PathDirective directive) {
    return switch (directive) {
      case PathDirective.Mark mark -> mark(mark);
      case PathDirective.Weights given -> weigh(given);
      case PathDirective.Heartbeat alive -> List.of();
    };
  }

  private List<Refusal> mark(PathDirective.Mark mark) {
    if (paths.stream().noneMatch(mark.paths()::contains)) {
      return refusal("no path is in " + mark.paths());
    }
    if (mark.state() == State.GOOD) {
      marks.remove(mark.paths());
    } else if (marks.get(mark.paths()) != mark.state()) {
      marks.remove(mark.paths()); // what is said anew is said last
      if (marks.size() == MOST_MARKS) {
        return refusal("more than %d sets of paths are marked".formatted(MOST_MARKS));
      }
      marks.put(mark.paths(), mark.state());
    }
    resolve();
    return List.of();
  }

  private static List<Refusal> refusal(String reason) {
    return List.of(new Refusal(PathEvent.CONNECTION, reason));
  }

  private List<Refusal> weigh(PathDirective.Weights given) {
    List<Refusal> refusals = new ArrayList<>();
    Map<Integer, Double> known = new LinkedHashMap<>();
    given
        .byPath()
        .forEach(
            (path, weight) -> {
              if (paths.stream().anyMatch(report -> report.id() == path)) {
                known.put(path, weight);
              } else {
                refusals.add(
                    new Refusal(path, "there is no path %d to have a weight".formatted(path)));
              }
            });
    weights = known;
    return refusals;
  }

  /** Finds out what the marks mean for the paths as they are now. */
  private void resolve() {
    states.clear();
    denied.clear();
    marks.forEach(
        (set, state) -> {
          List<Integer> anew = new ArrayList<>();
          for (PathReport path : paths) {
            if (set.contains(path)) {
              states.merge(path.id(), state, ControllerDriven::worse);
              if (state == State.DENY && !denied.contains(path.id())) {
                anew.add(path.id());
              }
            }
          }
          denied.addAll(0, anew);
        });
  }

  private static State worse(State one, State other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  @Override
  public void plan(List<PathSample> samples, PathPlan plan) {
    PathPlan own = localPlan == null ? plan.blank() : localPlan;
    localPlan = own;
    local.plan(samples, own);
    for (PathSample sample : samples) {
      plan.copy(own, sample.path());
    }
    if (following) {
      steer(samples.stream().filter(PathSample::usable).map(PathSample::path).toList(), plan);
    }
  }

  /** By the weights where a controller gave some; else as the other strategy does. */
  @Override
  public int choose(PathLoad load, long chunkBytes, long backlogBytes) {
    return weights.isEmpty()
        ? local.choose(load, chunkBytes, backlogBytes)
        : EarliestCompletion.choose(load, chunkBytes, backlogBytes);
  }

  private void steer(List<Integer> usable, PathPlan plan) {
    List<Integer> open = open(usable);
    double all = usable.stream().mapToDouble(plan::weight).sum();
    double left = open.stream().mapToDouble(plan::weight).sum();
    double named = open.stream().mapToDouble(this::named).sum();
    for (int path : usable) {
      double share = 0;
      if (open.contains(path)) {
        share =
            named > 0
                ? named(path) / named
                : left > 0 ? plan.weight(path) / left : 1.0 / open.size();
      }
      if (plan.weight(path) > 0 && share > 0) {
        scale(path, share * all / plan.weight(path), plan);
      }
      plan.weight(path, share);
    }
  }

  private double named(int path) {
    return weights.getOrDefault(path, 0.0);
  }

  /** The usable paths that may carry chunks. */
  private List<Integer> open(List<Integer> usable) {
    long allowed = usable.stream().filter(path -> state(path) != State.DENY).count();
    overruled.clear();
    denied.stream()
        .filter(usable::contains)
        .limit(Math.max(0, floor - allowed))
        .forEach(overruled::add);
    List<Integer> good = usable.stream().filter(path -> state(path) == State.GOOD).toList();
    return good.isEmpty()
        ? usable.stream()
            .filter(path -> state(path) == State.ASSUMED_BAD || overruled.contains(path))
            .toList()
        : good;
  }

  private State state(int path) {
    return states.getOrDefault(path, State.GOOD);
  }

  /** A path that is to carry more than the other strategy planned may have more in flight. */
  private static void scale(int path, double factor, PathPlan plan) {
    long window = (long) (plan.windowBytes(path) * Math.max(1, factor));
    long needed = (long) (plan.neededBytes(path) * factor);
    plan.rate(path, (long) (plan.rateBytesPerSecond(path) * factor));
    plan.window(path, needed, Math.min(window, plan.maxWindowBytes()));
  }
}
