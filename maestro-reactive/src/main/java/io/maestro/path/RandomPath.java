package io.maestro.path;

import io.maestro.api.PathSample;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A path at random for each chunk, whatever it carries already, as a fabric that hashes would
 * choose: the baseline that the other strategies are measured against. A chunk waits for the path
 * that was drawn for it.
 */
public final class RandomPath implements LoadBalancer {
  private static final int NONE = -1;

  private final SplittableRandom random;
  private int drawn = NONE;

  /** With a seed, so that a run can be repeated. */
  public RandomPath(long seed) {
    random = new SplittableRandom(seed);
  }

  @Override
  public void plan(List<PathSample> samples, PathPlan plan) {
    EqualPlan.apply(samples, plan);
  }

  @Override
  public int choose(PathLoad load, long chunkBytes, long backlogBytes) {
    if (drawn == NONE || drawn >= load.paths() || !load.usable(drawn)) {
      drawn = draw(load);
    }
    if (drawn == NONE || !load.hasRoom(drawn, chunkBytes)) {
      return EarliestCompletion.WAIT;
    }
    int path = drawn;
    drawn = NONE;
    return path;
  }

  private int draw(PathLoad load) {
    int chosen = NONE;
    int usable = 0;
    for (int path = 0; path < load.paths(); path++) {
      if (load.usable(path) && random.nextInt(++usable) == 0) {
        chosen = path;
      }
    }
    return chosen;
  }
}
