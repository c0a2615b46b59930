package io.maestro.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.MaestroConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The embedded provider on loopback. */
final class LoopbackNetwork implements RankNetwork {

  @Override
  public Maestro maestro(int rank) {
    return Maestro.create(MaestroConfig.with(b -> b.paths(2).secret("between us")));
  }

  @Override
  public InetSocketAddress address(int rank) {
    return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
  }

  @Override
  public Scheduler scheduler() {
    return Schedulers.parallel();
  }

  @Override
  public void until(BooleanSupplier condition, Duration limit) {
    Boolean held =
        Flux.interval(Duration.ZERO, Duration.ofMillis(1))
            .onBackpressureDrop()
            .map(tick -> condition.getAsBoolean())
            .filter(holds -> holds)
            .next()
            .block(limit);
    assertThat(held).isTrue();
  }
}
