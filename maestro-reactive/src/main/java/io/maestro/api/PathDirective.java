package io.maestro.api;

import java.util.Map;

/** What a {@link PathController} tells a connection. */
public sealed interface PathDirective {

  /** What a controller holds of a path. */
  enum State {
    /** It may carry chunks; the state of every path that nothing was said of. */
    GOOD,
    /** It carries chunks only while no good path is up. */
    ASSUMED_BAD,
    /**
     * It carries no chunks, unless fewer than {@link MaestroConfig.Control#floor()} paths would
     * then be left: it is then assumed bad, and a {@link PathEvent.Refused} says so.
     */
    DENY
  }

  /**
   * Sets the state of paths. A path that is in several sets has the worst of their states. Sets
   * that hold no path of the connection are refused.
   *
   * @param paths which; {@link State#GOOD} takes back what was said of the same set
   */
  record Mark(PathSet paths, State state) implements PathDirective {}

  /**
   * Sets the shares of paths, in place of all earlier ones. Good paths that are not named carry
   * nothing while a named one is up; while none is, the connection shares as it would by itself.
   *
   * @param byPath a weight for each path by its number, relative to the others; empty to take all
   *     back. Numbers that the connection does not have are refused, the others hold
   */
  record Weights(Map<Integer, Double> byPath) implements PathDirective {
    /** Most that a weight may be; only proportions matter. */
    public static final double MOST = 1e9;

    /**
     * Takes a copy.
     *
     * @throws IllegalArgumentException when a weight is not a number from 0 to {@link #MOST}, or
     *     all are 0
     */
    public Weights {
      byPath = Map.copyOf(byPath);
      byPath.forEach(Weights::check);
      if (!byPath.isEmpty() && byPath.values().stream().allMatch(weight -> weight == 0)) {
        throw new IllegalArgumentException("at least one of the weights must be positive");
      }
    }

    private static void check(int path, double weight) {
      if (!(weight >= 0 && weight <= MOST)) {
        throw new IllegalArgumentException(
            "the weight of path %d must be from 0 to %.0f, was %s".formatted(path, MOST, weight));
      }
    }
  }

  /** Says nothing but that the controller is there. */
  record Heartbeat() implements PathDirective {}
}
