package io.maestro.trainer.metrics;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.maestro.MaestroBuilder;
import io.maestro.metrics.BreakerMeters;
import io.maestro.metrics.MaestroMeters;
import io.maestro.metrics.MeterOptions;
import io.maestro.trainer.options.MetricsOption;
import io.maestro.trainer.options.Role;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.report.Both;
import io.maestro.trainer.report.RunListener;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.ChannelException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerResponse;

/** Serves the figures of this process to Prometheus, at {@code /metrics}. */
public final class MetricsServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final String FORMAT = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final TrainerOptions options;
  private final DisposableServer server;

  private MetricsServer(TrainerOptions options, InetSocketAddress address) {
    this.options = options;
    server =
        HttpServer.create()
            .bindAddress(() -> address)
            .route(routes -> routes.get("/metrics", (request, response) -> answer(response)))
            .bindNow(PATIENCE);
  }

  /**
   * Starts to serve where the options say.
   *
   * @return empty when this process has no figures to serve, as one that only starts others
   * @throws IllegalStateException when the port is taken
   */
  public static Optional<MetricsServer> start(TrainerOptions options) {
    MetricsOption where = options.metrics();
    boolean figures = options.role() != Role.LOCAL && options.role() != Role.CONTROLLER;
    if (!where.isOn() || !figures) {
      return Optional.empty();
    }
    try {
      return Optional.of(new MetricsServer(options, where.address()));
    } catch (ChannelException taken) {
      throw new IllegalStateException(
          "cannot serve metrics at %s: %s".formatted(where.text(), taken.getMessage()), taken);
    }
  }

  private Mono<Void> answer(HttpServerResponse response) {
    return response
        .header("Content-Type", FORMAT)
        .sendString(Mono.fromCallable(registry::scrape))
        .then();
  }

  /** Has what is built tell its figures, its breakers' too. */
  public MaestroBuilder equip(MaestroBuilder builder) {
    CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
    BreakerMeters.bind(breakers, registry, MeterOptions.defaults());
    return builder.breakers(breakers).observer(new MaestroMeters(registry));
  }

  /** Hears of the training what the listener hears. */
  public RunListener listen(RunListener other) {
    return options.role() == Role.SERVER
        ? other
        : new Both(other, new TrainingMeters(registry, options.job()));
  }

  @Override
  public void close() {
    server.disposeNow(PATIENCE);
    registry.close();
  }
}
