package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.MaestroConfig;
import io.maestro.verbs.NanoClock;
import io.maestro.verbs.SystemClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The embedded default provider on loopback aliases; every host has the same. */
final class LoopbackSite implements Site {

  @Override
  public Maestro maestro(int host) {
    return Maestro.create(MaestroConfig.with(b -> b.paths(4).secret("between us")));
  }

  @Override
  public List<InetSocketAddress> addresses(int host) {
    return List.of(
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 0));
  }

  @Override
  public Scheduler scheduler() {
    return Schedulers.parallel();
  }

  @Override
  public NanoClock clock() {
    return SystemClock.INSTANCE;
  }

  @Override
  public void until(BooleanSupplier condition, Duration limit) {
    CountDownLatch held = new CountDownLatch(1);
    Disposable poll =
        Schedulers.boundedElastic()
            .schedulePeriodically(
                () -> {
                  if (condition.getAsBoolean()) {
                    held.countDown();
                  }
                },
                0,
                1,
                TimeUnit.MILLISECONDS);
    try {
      assertThat(held.await(limit.toNanos(), TimeUnit.NANOSECONDS))
          .as("the condition holds within %s", limit)
          .isTrue();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    } finally {
      poll.dispose();
    }
  }

  @Override
  public void pass(Duration duration) {
    Mono.delay(duration).block();
  }

  @Override
  public void close() {}
}
