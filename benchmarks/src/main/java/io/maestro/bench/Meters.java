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
import io.maestro.verbs.SystemClock;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/**
 * What meters cost: one message after another over four loopback paths, both ends in this process,
 * once with nothing watched and once with the meters, the breakers' meters and the observations of
 * both ends on and a scrape a second, which is 15 times Prometheus's habit. The two take turns of
 * two seconds, so that what else the machine does falls on both.
 *
 * <p>Arguments: {@code --quick} for 5 rounds instead of 25. Prints messages a second, medians, and
 * as the last line one JSON object with what is lost, in percent, the median of all rounds.
 */
public final class Meters {
  private static final Duration SCRAPES = Duration.ofSeconds(1);
  private static final long TURN_NS = 2_000_000_000L;
  private static final int WARM_UP = 8;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ObservationRegistry observations = ObservationRegistry.create();
  private final int rounds;

  private Meters(int rounds) {
    this.rounds = rounds;
    observations
        .observationConfig()
        .observationHandler(new DefaultMeterObservationHandler(registry));
  }

  /** Runs the benchmark. */
  public static void main(String[] arguments) {
    Meters benchmark = new Meters(List.of(arguments).contains("--quick") ? 5 : 25);
    double small = benchmark.run(1 << 10);
    double large = benchmark.run(16 << 20);
    System.out.printf(
        Locale.ROOT, "{\"lost_1kib_percent\":%.2f,\"lost_16mib_percent\":%.2f}%n", small, large);
  }

  private double run(long bytes) {
    try (LoopbackPair plain = LoopbackPair.of(plain(), plain());
        LoopbackPair watched = LoopbackPair.of(watched("server"), watched("client"));
        Region region = Region.allocate(bytes)) {
      for (int round = 0; round < WARM_UP; round++) {
        perSecond(plain, region);
        scraped(watched, region);
      }
      List<Double> without = new ArrayList<>();
      List<Double> with = new ArrayList<>();
      List<Double> lost = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        // Each goes first every other time.
        double early = round % 2 == 0 ? perSecond(plain, region) : scraped(watched, region);
        double late = round % 2 == 0 ? scraped(watched, region) : perSecond(plain, region);
        without.add(round % 2 == 0 ? early : late);
        with.add(round % 2 == 0 ? late : early);
        lost.add(100 * (1 - with.getLast() / without.getLast()));
      }
      System.out.printf(
          Locale.ROOT,
          "%8d bytes: %9.1f messages/s without, %9.1f with meters, %.2f %% lost (%.2f to %.2f)%n",
          bytes,
          median(without),
          median(with),
          median(lost),
          quantile(lost, 0.25),
          quantile(lost, 0.75));
      return median(lost);
    }
  }

  private static Maestro plain() {
    return Maestro.builder(MaestroConfig.defaults()).create();
  }

  private Maestro watched(String name) {
    MaestroBuilder builder = Maestro.builder(MaestroConfig.defaults());
    MeterOptions options = MeterOptions.defaults().withTags(Map.of("side", name));
    CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
    BreakerMeters.bind(
        breakers, registry, MeterOptions.defaults().withPeerTag(peer -> name + " " + peer));
    return builder
        .breakers(breakers)
        .observer(new MaestroMeters(registry, options))
        .observer(new MaestroObservations(observations))
        .create();
  }

  private double scraped(LoopbackPair watched, Region region) {
    Disposable scraping =
        Flux.interval(SCRAPES).onBackpressureDrop().subscribe(tick -> registry.scrape());
    try {
      return perSecond(watched, region);
    } finally {
      scraping.dispose();
    }
  }

  private static double perSecond(LoopbackPair pair, Region region) {
    long startNs = SystemClock.INSTANCE.nanoTime();
    long elapsedNs = 0;
    long messages = 0;
    while (elapsedNs < TURN_NS) {
      pair.send(region);
      messages++;
      elapsedNs = SystemClock.INSTANCE.nanoTime() - startNs;
    }
    return messages * 1e9 / elapsedNs;
  }

  private static double median(List<Double> values) {
    return quantile(values, 0.5);
  }

  private static double quantile(List<Double> values, double part) {
    return values.stream().sorted().toList().get((int) (part * (values.size() - 1)));
  }
}
