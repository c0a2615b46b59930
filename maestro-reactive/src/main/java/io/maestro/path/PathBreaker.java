package io.maestro.path;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.maestro.api.PathHealth;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker of one path. It is closed while the path carries chunks; a loss of the path
 * opens it at once, too many slow looks do so too. After a back-off it is half open: the path may
 * be connected, and probed. When enough probes were answered it closes.
 *
 * <p>Used by one thread, which tells the time; but whoever holds the registry may change its state
 * from any.
 */
public final class PathBreaker implements AutoCloseable {
  static {
    // The first transitions load and link some fifty classes, 10 ms that a lost path must not wait.
    CircuitBreaker first = CircuitBreaker.ofDefaults("first");
    first.onError(0, TimeUnit.NANOSECONDS, new IllegalStateException("none"));
    first.transitionToOpenState();
    first.transitionToHalfOpenState();
    first.transitionToClosedState();
  }

  private final String name;
  private final Settings settings;
  private final GivenClock clock = new GivenClock();
  private final FlapMemory flaps = new FlapMemory();
  private final CircuitBreaker breaker;
  private int failures;
  private long delayNs;
  private long nextAttemptNs;

  /**
   * What the breakers of one connection are made with.
   *
   * @param config thresholds, and how many probes close a breaker; its clock is not used, and it
   *     never changes its state by itself
   * @param backoff how long an open breaker waits; the config's own interval counts when it is
   *     longer
   * @param registry where breakers are to be found; null for nowhere
   * @param jitter spreads the attempts
   */
  public record Settings(
      CircuitBreakerConfig config,
      Backoff backoff,
      @Nullable CircuitBreakerRegistry registry,
      RandomGenerator jitter) {}

  /** A closed breaker; the name is unique in the registry. */
  public PathBreaker(String name, Settings settings) {
    this.name = name;
    this.settings = settings;
    CircuitBreakerRegistry registry = settings.registry();
    CircuitBreakerConfig config = timed(settings.config());
    breaker =
        registry == null ? CircuitBreaker.of(name, config) : registry.circuitBreaker(name, config);
  }

  private CircuitBreakerConfig timed(CircuitBreakerConfig config) {
    return CircuitBreakerConfig.from(config)
        .clock(clock)
        .currentTimestampFunction(given -> clock.nowNs(), TimeUnit.NANOSECONDS)
        .automaticTransitionFromOpenToHalfOpenEnabled(false)
        .waitIntervalFunctionInOpenState(
            attempt -> waitMs(config.getWaitIntervalFunctionInOpenState().apply(attempt)))
        .build();
  }

  /** In milliseconds; remembers what was decided. */
  private long waitMs(long configuredMs) {
    long ms = Math.max(configuredMs, Math.ceilDiv(delayNs, 1_000_000L));
    nextAttemptNs = clock.nowNs() + TimeUnit.MILLISECONDS.toNanos(ms);
    return ms;
  }

  /** Whether the path may carry chunks, as far as the breaker goes. */
  public boolean allowsData() {
    return switch (breaker.getState()) {
      case CLOSED, DISABLED, METRICS_ONLY -> true;
      case OPEN, HALF_OPEN, FORCED_OPEN -> false;
    };
  }

  /** The breaker's state. */
  public PathHealth.Breaker state() {
    return switch (breaker.getState()) {
      case CLOSED -> PathHealth.Breaker.CLOSED;
      case OPEN -> PathHealth.Breaker.OPEN;
      case HALF_OPEN -> PathHealth.Breaker.HALF_OPEN;
      case FORCED_OPEN -> PathHealth.Breaker.FORCED_OPEN;
      case DISABLED, METRICS_ONLY -> PathHealth.Breaker.DISABLED;
    };
  }

  /**
   * Chunks were acknowledged since the last look.
   *
   * @param chunkNs how long a chunk took, in nanoseconds
   */
  public void onAcked(long chunkNs, long nowNs) {
    clock.set(nowNs);
    if (allowsData()) {
      breaker.onSuccess(chunkNs, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * The path is lost, or could not be connected or probed: opens at once.
   *
   * @param flap whether the path had carried chunks
   */
  public void onFailure(Throwable cause, boolean flap, long nowNs) {
    clock.set(nowNs);
    if (flap) {
      flaps.flapped(nowNs);
    }
    failures++;
    delayNs =
        settings.backoff().delayNs(failures, flaps.flaps(nowNs), settings.jitter().nextDouble());
    nextAttemptNs = nowNs + delayNs;
    boolean wasOpen = breaker.getState() == CircuitBreaker.State.OPEN;
    breaker.onError(0, TimeUnit.NANOSECONDS, cause);
    CircuitBreaker.State state = breaker.getState();
    boolean open = state == CircuitBreaker.State.OPEN;
    boolean mayOpen =
        state == CircuitBreaker.State.CLOSED || state == CircuitBreaker.State.HALF_OPEN;
    if (mayOpen || (open && wasOpen)) {
      breaker.transitionToOpenState(); // also when it is open, as it waits anew
    }
  }

  /** When the path may be connected next, on the clock that this breaker is told. */
  public long nextAttemptNs() {
    return nextAttemptNs;
  }

  /** Losses that are remembered; an old one counts as a part of one. */
  public double flaps(long nowNs) {
    return flaps.flaps(nowNs);
  }

  /** There is no other path: the next attempt is no later than in an outage without flaps. */
  public void hurry(long nowNs) {
    long latestNs = nowNs + settings.backoff().maxNs();
    if (nextAttemptNs - latestNs > 0) {
      nextAttemptNs = latestNs;
    }
  }

  /** Whether the path may be connected now; if so, and it was open, the breaker is half open. */
  public boolean tryAttempt(long nowNs) {
    clock.set(nowNs);
    if (nowNs - nextAttemptNs < 0) {
      return false;
    }
    onReconnected(nowNs);
    return breaker.getState() != CircuitBreaker.State.FORCED_OPEN;
  }

  /** The peer has connected the path anew: half open, whatever remains of the back-off. */
  public void onReconnected(long nowNs) {
    clock.set(nowNs);
    if (breaker.getState() == CircuitBreaker.State.OPEN) {
      breaker.transitionToHalfOpenState();
    }
  }

  /**
   * Whether a probe may be sent. If so, exactly one of {@link #onProbeAnswered}, {@link #onFailure}
   * and {@link #onProbeGivenUp} must follow.
   */
  public boolean tryProbe(long nowNs) {
    clock.set(nowNs);
    return breaker.getState() == CircuitBreaker.State.HALF_OPEN && breaker.tryAcquirePermission();
  }

  /** A probe was answered after that time; the last that was needed closes the breaker. */
  public void onProbeAnswered(long probeNs, long nowNs) {
    clock.set(nowNs);
    breaker.onSuccess(probeNs, TimeUnit.NANOSECONDS);
    if (allowsData()) {
      failures = 0;
    }
  }

  /** Nobody waits for the probe any more: its permission is given back. */
  public void onProbeGivenUp() {
    breaker.releasePermission();
  }

  /** Has a task run, by whichever thread it is, each time the state has changed. */
  public void onTransition(Runnable task) {
    breaker.getEventPublisher().onStateTransition(event -> task.run());
  }

  /** Takes it out of the registry. */
  @Override
  public void close() {
    CircuitBreakerRegistry registry = settings.registry();
    if (registry != null) {
      registry.remove(name);
    }
  }

  @Override
  public String toString() {
    return "PathBreaker[%s, %s]".formatted(name, breaker.getState());
  }
}
