package io.maestro.session;

import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.maestro.api.MaestroConfig;
import io.maestro.path.Backoff;
import io.maestro.path.PathBreaker;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Makes the settings of circuit breakers. Any thread. */
final class Breakers {
  /** The configuration of the registry that is taken when it has one of this name. */
  static final String CONFIG = "maestro";

  /** Looks that are remembered: a single slow one says nothing. */
  private static final int LOOKS = 100;

  private static final int ALL_SLOW_PERCENT = 100;

  private static final AtomicLong SESSIONS = new AtomicLong();

  private Breakers() {}

  static PathBreaker.Settings settings(
      MaestroConfig.Breaker config,
      @Nullable CircuitBreakerRegistry registry,
      RandomGenerator jitter) {
    CircuitBreakerConfig ours = ours(config);
    return new PathBreaker.Settings(
        registry == null ? ours : registry.getConfiguration(CONFIG).orElse(ours),
        new Backoff(config.backoff().toNanos(), config.maxBackoff().toNanos()),
        registry,
        jitter);
  }

  /** A loss opens a breaker whatever the rate of failures; the rate of slow looks opens it too. */
  private static CircuitBreakerConfig ours(MaestroConfig.Breaker config) {
    return CircuitBreakerConfig.custom()
        .slidingWindow(LOOKS, LOOKS, SlidingWindowType.COUNT_BASED)
        .slowCallDurationThreshold(config.slow())
        .slowCallRateThreshold(ALL_SLOW_PERCENT)
        .waitDurationInOpenState(config.backoff())
        .permittedNumberOfCallsInHalfOpenState(config.probes())
        .writableStackTraceEnabled(false)
        .build();
  }

  /** The prefix of the names of one session's breakers; the number makes them its own. */
  static String prefix(String peer) {
    return "maestro-%d %s path ".formatted(SESSIONS.incrementAndGet(), peer);
  }
}
