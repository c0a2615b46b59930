package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.MaestroConfig;
import io.maestro.verbs.NanoClock;
import io.maestro.verbs.sim.LinkOptions;
import io.maestro.verbs.sim.SimFabric;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import reactor.core.scheduler.Scheduler;

/**
 * A simulated fabric in virtual time, whose links lose 2 % of their packets and let others
 * overtake; each host has four virtual NICs. Everything, users' code too, runs on the thread of the
 * test.
 */
final class SimSite implements Site {

  private static final int ALIASES = 4;

  private final SimFabric fabric;

  SimSite(long seed) {
    SimFabric.Builder builder = SimFabric.builder().seed(seed);
    IntStream.range(0, HOSTS).boxed().flatMap(h -> aliases(h).stream()).forEach(builder::address);
    fabric =
        builder
            .links(
                LinkOptions.defaults().withLoss(0.02).withReordering(Duration.ofNanos(20_000), 0.1))
            .build();
  }

  private static List<InetAddress> aliases(int host) {
    return IntStream.rangeClosed(1, ALIASES)
        .mapToObj(alias -> InetAddress.ofLiteral("10.0.%d.%d".formatted(host, alias)))
        .toList();
  }

  @Override
  public Maestro maestro(int host) {
    MaestroConfig config =
        MaestroConfig.with(
            b -> b.paths(ALIASES).localAddresses(aliases(host)).secret("between us"));
    return Maestro.create(config, fabric.provider(), fabric.scheduler());
  }

  @Override
  public List<InetSocketAddress> addresses(int host) {
    return aliases(host).stream().map(alias -> new InetSocketAddress(alias, 0)).toList();
  }

  /** Makes everything that the host sends disappear, and what others send to it. */
  void silence(int host) {
    for (InetAddress own : aliases(host)) {
      IntStream.range(0, HOSTS)
          .filter(other -> other != host)
          .boxed()
          .flatMap(other -> aliases(other).stream())
          .forEach(other -> silence(own, other));
    }
  }

  private void silence(InetAddress one, InetAddress other) {
    fabric.setBlackHole(one, other, true);
    fabric.setBlackHole(other, one, true);
  }

  @Override
  public Scheduler scheduler() {
    return fabric.scheduler();
  }

  @Override
  public NanoClock clock() {
    return fabric;
  }

  @Override
  public void until(BooleanSupplier condition, Duration limit) {
    assertThat(fabric.runUntil(condition, limit))
        .as("the condition holds within %s of virtual time", limit)
        .isTrue();
  }

  @Override
  public void pass(Duration duration) {
    fabric.runFor(duration);
  }

  @Override
  public void close() {
    fabric.runFor(Duration.ofMillis(10));
  }
}
