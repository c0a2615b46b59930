package io.maestro.path;

import io.maestro.api.PathSample;
import java.util.List;

/**
 * A strategy that spreads the chunks of one connection over its paths. It decides the shares now
 * and then, by what was seen of the paths, and the path of each chunk.
 *
 * <p>An instance belongs to one connection, on whose event loop everything is called: it may keep
 * state, and must not block.
 */
public interface LoadBalancer {

  /**
   * Plans the shares and windows of the paths; called about once per round trip while chunks are
   * moving, and whenever a path comes or goes. What is not set stays as it was.
   *
   * @param samples one for each path, in the order of their numbers
   * @param plan to be changed; the weights of the usable paths are scaled to the sum 1 afterwards
   */
  void plan(List<PathSample> samples, PathPlan plan);

  /**
   * Chooses the path of a chunk; called for each one, so it must not allocate. By default the path
   * that is most behind its share, of those that do not hold the message up.
   *
   * @param load the state of the paths
   * @param chunkBytes length of the chunk
   * @param backlogBytes bytes of the same message that are to follow it
   * @return a usable path that has room, or {@link EarliestCompletion#WAIT}: then it is asked again
   *     when something has been acknowledged
   */
  default int choose(PathLoad load, long chunkBytes, long backlogBytes) {
    return EarliestCompletion.choose(load, chunkBytes, backlogBytes);
  }
}
