package io.maestro.session;

import java.time.Duration;
import java.util.SplittableRandom;

/** Random choices that follow from one seed. */
final class Dice {
  private final SplittableRandom random;

  Dice(long seed) {
    random = new SplittableRandom(seed);
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** A number from the least to the most, both included. */
  int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  @SafeVarargs
  final <T> T any(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** A number whose logarithm is spread evenly. */
  long spread(double least, double most) {
    return Math.round(least * Math.pow(most / least, random.nextDouble()));
  }

  /** A time whose logarithm is spread evenly. */
  Duration time(Duration least, Duration most) {
    return Duration.ofNanos(spread((double) least.toNanos(), (double) most.toNanos()));
  }
}
