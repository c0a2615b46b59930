package io.maestro.path;

import io.maestro.api.PathSample;
import java.util.List;

/**
 * The path with the fewest unacknowledged bytes, of those with room. Follows the rates without
 * measuring any, but gives slow paths chunks at the end of a message too.
 */
public final class LeastInFlight implements LoadBalancer {

  @Override
  public void plan(List<PathSample> samples, PathPlan plan) {
    EqualPlan.apply(samples, plan);
  }

  @Override
  public int choose(PathLoad load, long chunkBytes, long backlogBytes) {
    int best = EarliestCompletion.WAIT;
    for (int i = 0; i < load.paths(); i++) {
      int path = (load.turn() + i) % load.paths();
      if (load.usable(path)
          && load.hasRoom(path, chunkBytes)
          && (best < 0 || load.unackedBytes(path) < load.unackedBytes(best))) {
        best = path;
      }
    }
    return best;
  }
}
