package io.maestro.net;

import java.time.Duration;

/**
 * How routes are probed.
 *
 * @param maxHops farthest hop that is asked for, 1 to 64
 * @param attempts how often a hop is asked before it counts as unknown, 1 to 10
 * @param hopTimeout how long an answer is waited for, positive
 * @param probesPerSecond most probes a second, so that routers, which limit their answers, and the
 *     network are not flooded
 * @param burst most probes at once, 1 to 512; each holds a socket
 */
public record ProbeOptions(
    int maxHops, int attempts, Duration hopTimeout, int probesPerSecond, int burst) {

  /** For data centres: routes are short and answers come within a millisecond when idle. */
  public static final ProbeOptions DEFAULT =
      new ProbeOptions(12, 2, Duration.ofMillis(150), 2000, 128);

  /** Checks the values. */
  public ProbeOptions {
    require(maxHops >= 1 && maxHops <= 64, "maxHops must be 1 to 64");
    require(attempts >= 1 && attempts <= 10, "attempts must be 1 to 10");
    require(hopTimeout.isPositive(), "hopTimeout must be positive");
    require(probesPerSecond >= 1, "probesPerSecond must be positive");
    require(burst >= 1 && burst <= 512, "burst must be 1 to 512");
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }
}
