package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.maestro.api.PathHealth.Breaker;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PathBreakerTest {
  private static final long MS = 1_000_000;
  private final Throwable broken = new IllegalStateException("broken");
  private static final CircuitBreakerConfig CONFIG =
      CircuitBreakerConfig.custom()
          .slidingWindowSize(10)
          .minimumNumberOfCalls(10)
          .slowCallRateThreshold(100)
          .slowCallDurationThreshold(Duration.ofSeconds(1))
          .waitDurationInOpenState(Duration.ofMillis(1))
          .permittedNumberOfCallsInHalfOpenState(3)
          .build();

  private long nowNs = 5 * MS;
  private final CircuitBreakerRegistry registry = CircuitBreakerRegistry.ofDefaults();
  private final PathBreaker breaker = breaker(CONFIG);

  private PathBreaker breaker(CircuitBreakerConfig config) {
    return new PathBreaker(
        "p" + config.hashCode(),
        new PathBreaker.Settings(
            config, new Backoff(100 * MS, 1000 * MS), registry, new SplittableRandom(7)));
  }

  /** Lets the back-off pass; returns how long it was. */
  private long awaitAttempt(PathBreaker of) {
    long startNs = nowNs;
    nowNs = of.nextAttemptNs() - 1;
    assertThat(of.tryAttempt(nowNs)).isFalse();
    nowNs = of.nextAttemptNs();
    assertThat(of.tryAttempt(nowNs)).isTrue();
    return nowNs - startNs;
  }

  private void probe(int times) {
    for (int i = 0; i < times; i++) {
      assertThat(breaker.tryProbe(nowNs)).isTrue();
      breaker.onProbeAnswered(MS, nowNs);
    }
  }

  @Test
  void oneFailureOpensItAtOnceAndThreeProbesCloseItAgain() {
    assertThat(breaker.allowsData()).isTrue();
    breaker.onFailure(broken, true, nowNs);
    assertThat(breaker.state()).isEqualTo(Breaker.OPEN);
    assertThat(breaker.tryProbe(nowNs)).isFalse();
    assertThat(awaitAttempt(breaker)).isBetween(50 * MS, 101 * MS);
    assertThat(breaker.state()).isEqualTo(Breaker.HALF_OPEN);
    probe(2);
    assertThat(breaker.allowsData()).isFalse();
    probe(1);
    assertThat(breaker.state()).isEqualTo(Breaker.CLOSED);
  }

  @Test
  void attemptsThatFailBackOffUpToTheLimit() {
    breaker.onFailure(broken, true, nowNs);
    long[] bounds = {100, 200, 400, 800, 1000, 1000, 1000};
    for (long bound : bounds) {
      assertThat(awaitAttempt(breaker)).isBetween(bound * MS / 2, bound * MS + 2 * MS);
      breaker.onFailure(broken, false, nowNs);
    }
  }

  @Test
  void flapsAreRememberedLongerThanAnOutage() {
    long longestNs = 0;
    for (int flap = 0; flap < 20; flap++) {
      breaker.onFailure(broken, true, nowNs);
      longestNs = awaitAttempt(breaker);
      probe(3);
      nowNs += 10 * MS;
    }
    assertThat(longestNs).isBetween(6_000 * MS, 16_001 * MS);
    nowNs += Duration.ofMinutes(10).toNanos();
    breaker.onFailure(broken, true, nowNs);
    assertThat(awaitAttempt(breaker)).isLessThan(110 * MS);
  }

  @Test
  void aProbeThatIsGivenUpGivesItsPermissionBack() {
    breaker.onFailure(broken, true, nowNs);
    awaitAttempt(breaker);
    for (int cancelled = 0; cancelled < 100; cancelled++) {
      assertThat(breaker.tryProbe(nowNs)).isTrue();
      breaker.onProbeGivenUp();
    }
    probe(3);
    assertThat(breaker.allowsData()).isTrue();
  }

  @Test
  void noMoreProbesAreOutThanCloseIt() {
    breaker.onFailure(broken, true, nowNs);
    awaitAttempt(breaker);
    for (int i = 0; i < 3; i++) {
      assertThat(breaker.tryProbe(nowNs)).isTrue();
    }
    assertThat(breaker.tryProbe(nowNs)).isFalse();
    breaker.onFailure(broken, false, nowNs);
    awaitAttempt(breaker);
    probe(3);
    assertThat(breaker.allowsData()).isTrue();
  }

  @Test
  void onlySlowLooksOpenIt() {
    for (int look = 0; look < 9; look++) {
      breaker.onAcked(2000 * MS, nowNs);
    }
    assertThat(breaker.allowsData()).isTrue();
    breaker.onAcked(2000 * MS, nowNs);
    assertThat(breaker.state()).isEqualTo(Breaker.OPEN);
  }

  @Test
  void aPeerThatReconnectsDoesNotWait() {
    breaker.onFailure(broken, true, nowNs);
    breaker.onReconnected(nowNs);
    assertThat(breaker.state()).isEqualTo(Breaker.HALF_OPEN);
  }

  @Test
  void theHolderOfTheRegistryMayForceItOpenOrDisableIt() {
    CircuitBreaker seen = registry.getAllCircuitBreakers().iterator().next();
    int[] told = {0};
    breaker.onTransition(() -> told[0]++);
    seen.transitionToForcedOpenState();
    assertThat(told[0]).isEqualTo(1);
    assertThat(breaker.allowsData()).isFalse();
    breaker.onFailure(broken, true, nowNs);
    nowNs += Duration.ofDays(1).toNanos();
    assertThat(breaker.tryAttempt(nowNs)).isFalse();
    assertThat(breaker.state()).isEqualTo(Breaker.FORCED_OPEN);
    seen.transitionToDisabledState();
    assertThat(breaker.tryAttempt(nowNs)).isTrue();
    breaker.onFailure(broken, false, nowNs);
    assertThat(breaker.state()).isEqualTo(Breaker.DISABLED);
    assertThat(breaker.tryAttempt(nowNs)).as("it still backs off").isFalse();
    breaker.close();
    assertThat(registry.getAllCircuitBreakers()).isEmpty();
  }

  @Test
  void aLongerIntervalOfTheConfigCounts() {
    PathBreaker patient =
        breaker(
            CircuitBreakerConfig.from(CONFIG)
                .waitDurationInOpenState(Duration.ofSeconds(30))
                .automaticTransitionFromOpenToHalfOpenEnabled(true)
                .build());
    patient.onFailure(broken, true, nowNs);
    assertThat(awaitAttempt(patient)).isBetween(30_000 * MS, 30_001 * MS);
  }
}
