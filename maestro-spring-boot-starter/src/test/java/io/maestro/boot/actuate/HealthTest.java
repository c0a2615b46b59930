package io.maestro.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.maestro.Maestro;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.boot.MaestroAutoConfiguration;
import io.maestro.boot.MaestroConnections;
import io.maestro.boot.Ports;
import io.maestro.verbs.iwarp.IwarpProvider;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Flux;

class HealthTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration OFTEN = Duration.ofMillis(20);

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  MaestroAutoConfiguration.class,
                  MaestroHealthAutoConfiguration.class,
                  EndpointAutoConfiguration.class,
                  HealthContributorAutoConfiguration.class,
                  HealthContributorRegistryAutoConfiguration.class,
                  HealthEndpointAutoConfiguration.class))
          .withPropertyValues("management.endpoints.web.exposure.include=health");

  @Test
  void anApplicationWithoutConnectionsIsUp() {
    runner.run(
        context -> {
          Health health = indicator(context).health();
          assertThat(health.getStatus()).isEqualTo(Status.UP);
          assertThat(health.getDetails())
              .containsEntry("provider", "iwarp")
              .containsEntry("paths", 0)
              .doesNotContainKey("reasons");
        });
  }

  @Test
  void pathsThatAreLostDegradeItUntilTheyAreBack() {
    Ports.pair("a", "b")
        .on(runner)
        .run(
            context -> {
              Connection connection =
                  context.getBean(MaestroConnections.class).connection("b").block(SOON);
              assertThat(awaitStatus(context, Status.UP).getDetails()).containsEntry("pathsUp", 8L);
              List<CircuitBreaker> breakers = breakersOf(context, connection);
              breakers.getFirst().transitionToForcedOpenState();
              assertThat(reasons(awaitReasons(context, "1 of 4 paths")))
                  .anyMatch(reason -> reason.contains("1 of 4 paths to " + connection.peer()));
              breakers.get(1).transitionToForcedOpenState();
              breakers.get(2).transitionToForcedOpenState();
              awaitReasons(context, "only one path");
              breakers.forEach(CircuitBreaker::reset);
              awaitStatus(context, Status.UP);
            });
  }

  private static HealthIndicator indicator(ApplicationContext context) {
    return (HealthIndicator) context.getBean("maestroHealthContributor");
  }

  private static List<CircuitBreaker> breakersOf(ApplicationContext context, Connection open) {
    return context.getBean(CircuitBreakerRegistry.class).getAllCircuitBreakers().stream()
        .filter(breaker -> breaker.getName().contains(open.peer()))
        .toList();
  }

  private static Health awaitStatus(ApplicationContext context, Status status) {
    return await(context, health -> health.getStatus().equals(status));
  }

  private static Health awaitReasons(ApplicationContext context, String text) {
    return await(
        context, health -> reasons(health).stream().anyMatch(reason -> reason.contains(text)));
  }

  private static Health await(ApplicationContext context, Predicate<Health> wanted) {
    HealthIndicator indicator = indicator(context);
    return Flux.interval(OFTEN).map(tick -> indicator.health()).filter(wanted).blockFirst(SOON);
  }

  @SuppressWarnings("unchecked")
  private static List<String> reasons(Health health) {
    return (List<String>) health.getDetails().getOrDefault("reasons", List.of());
  }

  @Test
  void aProviderThatIsNotTheOneAskedForDegradesIt() {
    runner
        .withBean(Maestro.class, HealthTest::onAnotherProvider)
        .run(
            context -> {
              Health health = indicator(context).health();
              assertThat(health.getStatus()).isEqualTo(MaestroHealthIndicator.DEGRADED);
              assertThat(reasons(health))
                  .containsExactly("fallback provider: iwarp in place of disni");
            });
  }

  private static Maestro onAnotherProvider() {
    MaestroConfig config = MaestroConfig.with(settings -> settings.provider("disni"));
    return Maestro.builder(config).provider(new IwarpProvider()).create();
  }

  @Test
  void degradedIsBetweenDownAndUpAndStillAnsweredWith200() {
    runner.run(
        context -> {
          StatusAggregator aggregator = context.getBean(StatusAggregator.class);
          assertThat(
                  aggregator.getAggregateStatus(Set.of(Status.UP, MaestroHealthIndicator.DEGRADED)))
              .isEqualTo(MaestroHealthIndicator.DEGRADED);
          assertThat(
                  aggregator.getAggregateStatus(
                      Set.of(Status.DOWN, MaestroHealthIndicator.DEGRADED)))
              .isEqualTo(Status.DOWN);
          assertThat(
                  context
                      .getBean(HttpCodeStatusMapper.class)
                      .getStatusCode(MaestroHealthIndicator.DEGRADED))
              .isEqualTo(200);
        });
  }

  @Test
  void anOrderOfTheApplicationsOwnIsKept() {
    runner
        .withPropertyValues("management.endpoint.health.status.order=up,degraded")
        .run(
            context ->
                assertThat(
                        context
                            .getBean(StatusAggregator.class)
                            .getAggregateStatus(Set.of(Status.UP, MaestroHealthIndicator.DEGRADED)))
                    .isEqualTo(Status.UP));
  }

  @Test
  void itCanBeTurnedOff() {
    runner
        .withPropertyValues("management.health.maestro.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("maestroHealthContributor"));
  }
}
