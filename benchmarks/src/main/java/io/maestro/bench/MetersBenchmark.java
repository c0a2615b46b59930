package io.maestro.bench;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.maestro.Maestro;
import io.maestro.MaestroBuilder;
import io.maestro.api.MaestroConfig;
import io.maestro.api.Region;
import io.maestro.metrics.BreakerMeters;
import io.maestro.metrics.MaestroMeters;
import io.maestro.metrics.MaestroObservations;
import io.maestro.metrics.MeterOptions;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/**
 * What meters cost: one message after another over four loopback paths, both ends in this process,
 * with nothing watched, or with the meters, the breakers' meters and the observations of both ends
 * on and a scrape ten times a second, which is 150 times Prometheus's habit.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 5,
    jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:MaxDirectMemorySize=4g"})
public class MetersBenchmark {
  private static final Duration SCRAPES = Duration.ofMillis(100);

  /** Size of a message, in bytes. */
  @Param({"1024", "16777216"})
  public long bytes;

  /** Whether anything is watched. */
  @Param({"false", "true"})
  public boolean meters;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ObservationRegistry observations = ObservationRegistry.create();
  private @Nullable LoopbackPair pair;
  private @Nullable Region region;
  private @Nullable Disposable scraping;

  /** Connects. */
  @Setup
  public void open() {
    observations
        .observationConfig()
        .observationHandler(new DefaultMeterObservationHandler(registry));
    pair = LoopbackPair.of(maestro("server"), maestro("client"));
    region = Region.allocate(bytes);
    if (meters) {
      scraping = Flux.interval(SCRAPES).onBackpressureDrop().subscribe(tick -> registry.scrape());
    }
  }

  private Maestro maestro(String name) {
    MaestroBuilder builder = Maestro.builder(MaestroConfig.defaults());
    if (meters) {
      MeterOptions options = MeterOptions.defaults().withTags(Map.of("side", name));
      CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
      BreakerMeters.bind(
          breakers, registry, MeterOptions.defaults().withPeerTag(peer -> name + " " + peer));
      builder
          .breakers(breakers)
          .observer(new MaestroMeters(registry, options))
          .observer(new MaestroObservations(observations));
    }
    return builder.create();
  }

  /** Sends a message and waits until the peer has it. */
  @Benchmark
  public void send() {
    if (pair != null && region != null) {
      pair.send(region);
    }
  }

  /** Gives everything back. */
  @TearDown
  public void close() {
    if (scraping != null) {
      scraping.dispose();
    }
    if (pair != null && region != null) {
      pair.close();
      region.close();
    }
    registry.close();
  }
}
