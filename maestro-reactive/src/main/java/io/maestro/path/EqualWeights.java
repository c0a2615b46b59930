package io.maestro.path;

import java.util.List;

/** Gives every usable path the same share. Has no state; any thread. */
public final class EqualWeights implements LoadBalancer {

  @Override
  public void weigh(List<PathSample> samples, double[] weights) {
    long usable = samples.stream().filter(PathSample::usable).count();
    for (int i = 0; i < samples.size(); i++) {
      weights[i] = samples.get(i).usable() ? 1.0 / usable : 0;
    }
  }
}
