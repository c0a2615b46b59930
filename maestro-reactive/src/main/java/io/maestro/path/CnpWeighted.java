package io.maestro.path;

import io.maestro.api.PathSample;
import java.util.Arrays;
import java.util.List;

/**
 * The default strategy: shares follow what the paths are able to carry, windows the congestion
 * marks.
 *
 * <p><b>Shares.</b> A path that had its whole window in flight and still fell behind its share
 * cannot carry it: its share goes towards what it did carry. The others divide the rest, and move
 * towards equality among themselves: that one of them happened to carry less says nothing about
 * what it could carry, so noise does not steer. Of those, the ones that are marked more than the
 * others give way.
 *
 * <p><b>Windows</b> follow DCTCP (RFC 8257 sections 3.3 and 3.4), whose estimate of congestion
 * DCQCN uses too: {@code α ← (1 − g) α + g F} with F the marked part of the packets; with marks
 * {@code W ← W (1 − α / 2)}, else additive increase. They stay between what keeps the path busy and
 * twice that, so they never take away from the transport below, which has a congestion control of
 * its own: they only say how much may queue.
 *
 * <p>Pure; one connection's loop.
 */
public final class CnpWeighted implements LoadBalancer {
  /** Weight of the newest marked fraction, RFC 8257 section 3.3. */
  private static final double ALPHA_GAIN = 1.0 / 16;

  /** How long shares take to follow what is carried: many round trips, much less than a second. */
  private static final double FOLLOW_NS = 200e6;

  /** How long lags are averaged: busy cores hold paths up for some milliseconds each. */
  private static final double LAG_NS = 200e6;

  /** From this many windows behind on a path shows that it cannot carry its share. */
  private static final double LIMITED_LAG = 0.5;

  /** Up to this many windows behind a path shows no limit. */
  private static final double NO_LAG = 0.25;

  /** How fast a share of a path that shows no limit grows towards the others, each second. */
  private static final double GROWTH_PER_NS = 0.1 / 1e9;

  /** How long the total rate is averaged, and about how long its peaks count. */
  private static final double SMOOTHING_NS = 20e6;

  private static final double TOTAL_MEMORY_NS = 2e9;

  /** Additive increase: from the smallest window to the largest in that many round trips. */
  private static final int STEPS = 32;

  /** Least share, so that a path that has become fast is noticed. */
  private static final double LEAST_SHARE = 0.01;

  private double[] weights = new double[0];
  private double[] lags = new double[0];
  private double[] alphas = new double[0];
  private double carried;
  private double total;
  private boolean[] known = new boolean[0];

  @Override
  public void plan(List<PathSample> samples, PathPlan plan) {
    admit(samples);
    double totalBytes = 0;
    for (PathSample sample : samples) {
      if (sample.usable()) {
        observe(sample);
        totalBytes += sample.ackedBytes();
      }
    }
    measureTotal(totalBytes, samples);
    if (totalBytes > 0) {
      followWhatWasCarried(samples, totalBytes);
      shareTheRest(samples);
    }
    keepAlive(samples);
    for (PathSample sample : samples) {
      plan.weight(sample.path(), weights[sample.path()]);
      if (sample.usable()) {
        planWindow(sample, plan);
      }
    }
  }

  /** A path that comes begins with the mean share of the others. */
  private void admit(List<PathSample> samples) {
    int count = samples.size();
    if (weights.length < count) {
      weights = Arrays.copyOf(weights, count);
      lags = Arrays.copyOf(lags, count);
      alphas = Arrays.copyOf(alphas, count);
      known = Arrays.copyOf(known, count);
    }
    double sum = 0;
    int members = 0;
    for (PathSample sample : samples) {
      int path = sample.path();
      known[path] &= sample.usable();
      sum += known[path] ? weights[path] : 0;
      members += known[path] ? 1 : 0;
    }
    for (PathSample sample : samples) {
      int path = sample.path();
      if (!known[path]) {
        known[path] = sample.usable();
        weights[path] = sample.usable() ? (members == 0 ? 1 : sum / members) : 0;
        alphas[path] = 0;
        lags[path] = 0;
      }
    }
    scale(samples);
  }

  private void observe(PathSample sample) {
    int path = sample.path();
    double marked = Math.max(0, sample.markedFraction());
    alphas[path] += ALPHA_GAIN * (marked - alphas[path]);
    lags[path] += Math.min(1, sample.intervalNs() / LAG_NS) * (sample.lag() - lags[path]);
  }

  private void followWhatWasCarried(List<PathSample> samples, double totalBytes) {
    for (PathSample sample : samples) {
      if (sample.usable() && isLimited(sample)) {
        double gap = sample.ackedBytes() / totalBytes - weights[sample.path()];
        weights[sample.path()] += follow(sample) * gap;
      }
    }
  }

  private boolean isLimited(PathSample sample) {
    return lags[sample.path()] >= LIMITED_LAG;
  }

  private static double follow(PathSample sample) {
    return Math.min(1, sample.intervalNs() / FOLLOW_NS);
  }

  private boolean isFree(PathSample sample) {
    return sample.usable() && !isLimited(sample);
  }

  private void shareTheRest(List<PathSample> samples) {
    double taken = 0;
    double sum = 0;
    double alphaSum = 0;
    int free = 0;
    for (PathSample sample : samples) {
      int path = sample.path();
      if (isFree(sample)) {
        free++;
        sum += weights[path];
        alphaSum += alphas[path];
      } else {
        taken += weights[path];
      }
    }
    for (PathSample sample : samples) {
      if (isFree(sample)) {
        moveTowards(sample, sum / free, alphaSum / free);
      }
    }
    scaleFree(samples, Math.max(0, 1 - taken));
  }

  private void moveTowards(PathSample sample, double mean, double meanAlpha) {
    int path = sample.path();
    double weight = weights[path];
    weight *= 1 - follow(sample) * (alphas[path] - meanAlpha) / 2;
    if (weight < mean && lags[path] < NO_LAG) {
      weight = Math.min(mean, weight * (1 + GROWTH_PER_NS * sample.intervalNs()));
    }
    weights[path] = weight;
  }

  private void scaleFree(List<PathSample> samples, double total) {
    double sum = 0;
    for (PathSample sample : samples) {
      sum += isFree(sample) ? weights[sample.path()] : 0;
    }
    for (PathSample sample : samples) {
      if (isFree(sample) && sum > 0) {
        weights[sample.path()] *= total / sum;
      }
    }
  }

  private void keepAlive(List<PathSample> samples) {
    double least = Math.min(LEAST_SHARE, 0.25 / samples.size());
    scale(samples);
    for (PathSample sample : samples) {
      if (sample.usable()) {
        weights[sample.path()] = Math.max(least, weights[sample.path()]);
      }
    }
    scale(samples);
  }

  private void scale(List<PathSample> samples) {
    double sum = 0;
    for (PathSample sample : samples) {
      sum += weights[sample.path()];
    }
    for (PathSample sample : samples) {
      weights[sample.path()] *= sum > 0 ? 1 / sum : 0;
    }
  }

  /** The most that all paths carried together lately. */
  private void measureTotal(double bytes, List<PathSample> samples) {
    double intervalNs = samples.isEmpty() ? 0 : samples.getFirst().intervalNs();
    if (intervalNs > 0) {
      double now = bytes * 1e9 / intervalNs;
      carried += Math.min(1, intervalNs / SMOOTHING_NS) * (now - carried);
      total = Math.max(carried, total * Math.max(0, 1 - intervalNs / TOTAL_MEMORY_NS));
    }
  }

  private void planWindow(PathSample sample, PathPlan plan) {
    int path = sample.path();
    if (total == 0) {
      return; // the first windows serve until there is something to go by
    }
    // By the share, not the path's own rate: a window that followed the rate would decide it.
    long rate = (long) (weights[path] * total);
    int chunkBytes = plan.chunkBytes();
    long most = PathWindow.windowBytes(rate, sample, chunkBytes, plan.maxWindowBytes());
    long needed = Math.min(most, PathWindow.neededBytes(rate, sample.minRttNs(), chunkBytes));
    long window = plan.windowBytes(path);
    if (sample.marks() > 0) {
      window = (long) (window * (1 - alphas[path] / 2));
    } else {
      window += Math.max(chunkBytes, most / STEPS);
    }
    plan.rate(path, rate);
    window = Math.clamp(window, needed, most);
    plan.window(path, Math.max(needed, window / 4), window);
  }
}
