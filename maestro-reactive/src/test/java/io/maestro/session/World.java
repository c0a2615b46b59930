package io.maestro.session;

import io.maestro.api.MaestroConfig;
import io.maestro.verbs.sim.LinkOptions;
import io.maestro.verbs.sim.SimFabric;
import java.time.Duration;

/**
 * What a simulated run takes place in; both peers have the same settings.
 *
 * @param gentle nothing happens that a connection must not survive
 * @param deferred user code runs on a scheduler of its own instead of the loops
 * @param lossy completions of posted work are lost when a queue pair ends
 * @param demand messages that a receiver asks for at once; 0 for all
 */
record World(
    boolean gentle,
    boolean deferred,
    boolean lossy,
    int demand,
    int paths,
    int loops,
    int chunkBytes,
    int eagerBytes,
    int maxMessages,
    long budgetBytes,
    long windowBytes,
    String balancer,
    Duration stall,
    Duration backoff,
    Duration keepAlive,
    Duration reconnect,
    LinkOptions link,
    int unitBytes,
    boolean signals) {

  /** How long a connection may take, and a close. */
  static final Duration CONNECT = Duration.ofSeconds(5);

  static final Duration CLOSE = Duration.ofSeconds(3);

  static World of(Dice dice) {
    return new World(
        dice.chance(0.6),
        dice.chance(0.5),
        dice.chance(0.2),
        dice.any(0, 0, 1, 2, 7),
        dice.between(1, 4),
        dice.between(1, 3),
        dice.any(4096, 4096, 16_384, 51_200),
        dice.any(0, 512, 512, 4096, 16_384),
        dice.any(1, 2, 5, 16, 64),
        dice.spread(64 << 10, 4 << 20),
        dice.any(64L << 10, 256L << 10, 4L << 20),
        dice.any("cnp-weighted", "cnp-weighted", "round-robin", "random", "least-in-flight"),
        Duration.ofMillis(dice.any(10, 50)),
        Duration.ofMillis(dice.any(1, 100)),
        Duration.ofMillis(dice.any(200, 400, 2000)),
        Duration.ofMillis(dice.any(1500, 5000)),
        link(dice),
        dice.any(4096, 65_536, 65_536),
        dice.chance(0.7));
  }

  static LinkOptions link(Dice dice) {
    LinkOptions link =
        LinkOptions.defaults()
            .withBytesPerSecond(dice.spread(20e6, 3e9))
            .withDelay(dice.time(Duration.ofNanos(1_000), Duration.ofMillis(1)))
            .withLoss(dice.any(0.0, 0.0, 0.001, 0.02));
    return dice.chance(0.3)
        ? link.withReordering(dice.time(Duration.ofNanos(1_000), Duration.ofMillis(1)), 0.05)
        : link;
  }

  MaestroConfig.Builder settings(MaestroConfig.Builder builder) {
    return builder
        .secret("between us")
        .paths(paths)
        .loops(loops)
        .chunkBytes(chunkBytes)
        .eagerBytes(eagerBytes)
        .maxMessages(maxMessages)
        .memoryBudgetBytes(budgetBytes)
        .windowBytes(windowBytes)
        .balancer(balancer)
        .breaker(
            new MaestroConfig.Breaker(
                stall, Duration.ofSeconds(2), backoff, backoff.multipliedBy(4), 2))
        .timeouts(
            new MaestroConfig.Timeouts(
                CONNECT, Duration.ofMinutes(2), keepAlive, CLOSE, reconnect));
  }

  SimFabric.Builder fabric(long seed) {
    return SimFabric.builder().seed(seed).signals(signals).unitBytes(unitBytes);
  }

  /** After this time without a sign of life of its peer a connection has ended. */
  Duration patience() {
    return keepAlive.multipliedBy(4).plus(reconnect).plus(CLOSE).plusSeconds(3);
  }
}
