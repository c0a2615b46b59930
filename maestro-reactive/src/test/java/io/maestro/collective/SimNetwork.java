package io.maestro.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.MaestroConfig;
import io.maestro.verbs.sim.LinkOptions;
import io.maestro.verbs.sim.SimFabric;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import reactor.core.scheduler.Scheduler;

/** A fabric in virtual time that loses 1 % of the packets and lets others overtake. */
final class SimNetwork implements RankNetwork {

  private final SimFabric fabric;

  SimNetwork(long seed, int ranks) {
    SimFabric.Builder builder = SimFabric.builder().seed(seed);
    for (int rank = 0; rank < ranks; rank++) {
      builder.address(host(rank));
    }
    fabric =
        builder
            .links(
                LinkOptions.defaults().withLoss(0.01).withReordering(Duration.ofNanos(20_000), 0.1))
            .build();
  }

  private static InetAddress host(int rank) {
    return InetAddress.ofLiteral("10.0.%d.1".formatted(rank));
  }

  @Override
  public Maestro maestro(int rank) {
    MaestroConfig config =
        MaestroConfig.with(
            b -> b.paths(1).localAddresses(List.of(host(rank))).secret("between us"));
    return Maestro.create(config, fabric.provider(), fabric.scheduler());
  }

  @Override
  public InetSocketAddress address(int rank) {
    return new InetSocketAddress(host(rank), 0);
  }

  @Override
  public Scheduler scheduler() {
    return fabric.scheduler();
  }

  @Override
  public void until(BooleanSupplier condition, Duration limit) {
    assertThat(fabric.runUntil(condition, limit))
        .as("the condition holds within %s of virtual time", limit)
        .isTrue();
  }
}
