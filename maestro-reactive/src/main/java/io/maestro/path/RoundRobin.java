package io.maestro.path;

import io.maestro.api.PathSample;
import java.util.List;

/**
 * Each path in turn, whatever it can carry: a chunk waits for the path whose turn it is, so the
 * slowest path sets the pace. For comparison, and for paths that are known to be equal.
 */
public final class RoundRobin implements LoadBalancer {
  private int next;

  @Override
  public void plan(List<PathSample> samples, PathPlan plan) {
    EqualPlan.apply(samples, plan);
  }

  @Override
  public int choose(PathLoad load, long chunkBytes, long backlogBytes) {
    for (int i = 0; i < load.paths(); i++) {
      int path = (next + i) % load.paths();
      if (load.usable(path)) {
        next = path;
        if (!load.hasRoom(path, chunkBytes)) {
          return EarliestCompletion.WAIT;
        }
        next = path + 1;
        return path;
      }
    }
    return EarliestCompletion.WAIT;
  }
}
