package io.maestro.session;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.MaestroConfig;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.VerbsProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** The embedded default provider on loopback aliases. */
final class LoopbackRig implements Rig {
  private static final VerbsProvider PROVIDER =
      requireNonNull(VerbsProvider.installed().get("iwarp"));

  private static final int WIRES = 4;

  private final List<Endpoint> endpoints = new ArrayList<>();
  private final List<Relay> relays = new ArrayList<>();

  @Override
  public Endpoint endpoint(
      UnaryOperator<MaestroConfig.Builder> settings, Endpoint.Policies policies) {
    MaestroConfig config = MaestroConfig.with(settings);
    DeviceOptions options = new DeviceOptions(config.loops(), config.checksum(), false);
    Endpoint endpoint =
        new Endpoint(PROVIDER.open(options), config, policies, Schedulers.parallel(), "test");
    endpoints.add(endpoint);
    return endpoint;
  }

  @Override
  public List<InetSocketAddress> addresses() {
    return List.of(
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 0));
  }

  @Override
  public List<InetSocketAddress> wires(List<InetSocketAddress> targets) {
    for (int path = 0; path < WIRES; path++) {
      relays.add(new Relay(targets.get(path % targets.size())));
    }
    return relays.stream().map(Relay::address).toList();
  }

  @Override
  public void wire(int index, Wire state) {
    relays.get(index).set(state);
  }

  @Override
  public <T> List<T> all(Publisher<T> source, Duration limit) {
    return Flux.from(source).collectList().block(limit);
  }

  @Override
  public void until(BooleanSupplier condition, Duration limit) {
    CountDownLatch held = new CountDownLatch(1);
    var poll =
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
  public void close() {
    endpoints.forEach(Endpoint::close);
    relays.forEach(Relay::close);
  }
}
