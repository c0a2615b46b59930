package io.maestro.path;

import java.util.List;

/**
 * Decides which share of a connection's bytes each path is to carry.
 *
 * <p>An instance belongs to one connection, whose event loop calls it now and then, not for each
 * chunk. It must not block and may keep state, such as earlier samples.
 */
@FunctionalInterface
public interface LoadBalancer {

  /**
   * Weighs the paths.
   *
   * @param samples one for each path
   * @param weights to be filled: the share of the path of the sample at the same index, 0 for one
   *     that is not usable. The shares sum to 1, or to 0 when no path is usable.
   */
  void weigh(List<PathSample> samples, double[] weights);
}
