package io.maestro.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Chooses the addresses and source ports, and so the routes, of the paths of a connection.
 *
 * <p>May be called from any thread and must not block it; answers on any thread. A planner that
 * cannot tell gives an empty answer rather than an error or a guess: the paths are then made as if
 * there were no planner. Cancelling stops the probes that are under way.
 */
public interface PathPlanner {

  /**
   * What a connection asks for.
   *
   * @param locals configured local aliases; empty: the system's choice for each remote
   * @param remotes addresses of the peer, at least one
   * @param paths how many paths are wanted
   * @param budget most time that the answer may take
   */
  record Request(
      List<InetAddress> locals, List<InetSocketAddress> remotes, int paths, Duration budget) {}

  /**
   * Plans all paths of a new connection.
   *
   * @return one plan for each path, best first, or an empty list when nothing could be planned
   */
  Mono<List<PathPlan>> plan(Request request);

  /**
   * Plans one path again, which has failed or whose route has changed.
   *
   * @param path which of {@code current} is to be replaced
   * @param current the plans in force, which stay as they are but for that one
   * @return a plan that shares no more with the others than that one did, or empty when there is
   *     none. It may lead the same way: the path is asked for again until it is back
   */
  Mono<PathPlan> replan(Request request, int path, List<PathPlan> current);

  /**
   * Looks which way the paths go now, and whether other plans would keep them further apart.
   *
   * @param current the plans of the paths that are up
   * @return the plans that are best now, in the same order, that of a path unchanged but for its
   *     report where it is to stay; empty when the paths go as they did, or nothing can be told
   */
  default Mono<List<PathPlan>> review(Request request, List<PathPlan> current) {
    return Mono.empty();
  }

  /**
   * Plans one more connection on the route of a path, for a measurement.
   *
   * @param path which of {@code current}
   * @return a plan with another source port, or empty when none is known to lead the same way
   */
  default Mono<PathPlan> beside(Request request, int path, List<PathPlan> current) {
    return Mono.empty();
  }

  /** Plans nothing: the system and the order of the addresses decide. */
  static PathPlanner none() {
    return new PathPlanner() {
      @Override
      public Mono<List<PathPlan>> plan(Request request) {
        return Mono.just(List.of());
      }

      @Override
      public Mono<PathPlan> replan(Request request, int path, List<PathPlan> current) {
        return Mono.empty();
      }
    };
  }
}
