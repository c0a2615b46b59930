package io.maestro.boot.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.boot.MaestroAutoConfiguration;
import io.maestro.metrics.BreakerMeters;
import io.maestro.metrics.MaestroMeters;
import io.maestro.metrics.MaestroObservations;
import io.maestro.metrics.MeterOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class MaestroMetricsAutoConfigurationTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final ApplicationContextRunner plain =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  MaestroAutoConfiguration.class, MaestroMetricsAutoConfiguration.class));
  private final ApplicationContextRunner runner =
      plain
          .withBean(SimpleMeterRegistry.class)
          .withBean(ObservationRegistry.class, ObservationRegistry::create);

  @Test
  void whatIsSentIsInTheApplicationsRegistry() {
    runner.run(
        context -> {
          Maestro maestro = context.getBean(Maestro.class);
          var loopback = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
          var binding = maestro.bind(loopback).block(LIMIT);
          binding.connections().subscribe(c -> c.receive().subscribe(Message::close));
          var connection =
              maestro.connect(binding.addresses().toArray(InetSocketAddress[]::new)).block(LIMIT);
          Region region = Region.allocate(1 << 20);
          connection.send(region).block(LIMIT);
          region.release();
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          assertThat(
                  registry
                      .get("maestro.message.duration")
                      .tags("direction", "sent", "outcome", "done", "provider", "iwarp")
                      .timer()
                      .count())
              .isEqualTo(1);
          assertThat(registry.find("maestro.path.bytes").meters()).isNotEmpty();
          assertThat(registry.find("resilience4j.circuitbreaker.state").meters()).isNotEmpty();
        });
  }

  @Test
  void theRegistriesThatSpringBootMakesAreFound() {
    plain
        .withConfiguration(
            AutoConfigurations.of(
                MetricsAutoConfiguration.class,
                CompositeMeterRegistryAutoConfiguration.class,
                SimpleMetricsExportAutoConfiguration.class,
                ObservationAutoConfiguration.class))
        .run(
            context -> {
              assertThat(context)
                  .hasSingleBean(MaestroMeters.class)
                  .hasSingleBean(BreakerMeters.class)
                  .hasSingleBean(MaestroObservations.class);
              context.getBean(Maestro.class);
              assertThat(context.getBean(MeterRegistry.class).find("maestro.memory.limit").gauge())
                  .isNotNull();
            });
  }

  @Test
  void anApplicationWithoutARegistryHasNone() {
    plain.run(
        context ->
            assertThat(context)
                .hasNotFailed()
                .hasSingleBean(Maestro.class)
                .doesNotHaveBean(MaestroMeters.class)
                .doesNotHaveBean(BreakerMeters.class)
                .doesNotHaveBean(MaestroObservations.class));
  }

  @Test
  void anApplicationWithoutMicrometerStarts() {
    plain
        .withClassLoader(new FilteredClassLoader("io.micrometer"))
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(Maestro.class)
                    .doesNotHaveBean("maestroMeters"));
  }

  @Test
  void withoutResilience4jsMetersTheOthersAreThere() {
    runner
        .withClassLoader(new FilteredClassLoader("io.github.resilience4j.micrometer"))
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(MaestroMeters.class)
                    .doesNotHaveBean("maestroBreakerMeters"));
  }

  @Test
  void propertiesSwitchPartsOff() {
    runner
        .withPropertyValues("maestro.metrics.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(Maestro.class)
                    .doesNotHaveBean(MaestroMeters.class)
                    .doesNotHaveBean(MaestroObservations.class));
    runner
        .withPropertyValues("maestro.metrics.breakers=false", "maestro.metrics.observations=false")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(MaestroMeters.class)
                    .doesNotHaveBean(BreakerMeters.class)
                    .doesNotHaveBean(MaestroObservations.class));
    runner
        .withPropertyValues("maestro.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(MaestroMeters.class));
  }

  @Test
  void propertiesSetTheLimits() {
    runner
        .withPropertyValues("maestro.metrics.max-peers=5", "maestro.metrics.max-paths=3")
        .run(
            context -> {
              MeterOptions options = context.getBean(MeterOptions.class);
              assertThat(options.maxPeers()).isEqualTo(5);
              assertThat(options.maxPaths()).isEqualTo(3);
            });
  }

  @Test
  void theDefaultsAreThoseOfTheLibrary() {
    runner.run(
        context -> {
          MeterOptions options = context.getBean(MeterOptions.class);
          assertThat(options.maxPeers()).isEqualTo(MeterOptions.defaults().maxPeers());
          assertThat(options.maxPaths()).isEqualTo(MeterOptions.defaults().maxPaths());
        });
  }

  @Test
  void aLimitOutOfItsRangeEndsTheStart() {
    runner
        .withPropertyValues("maestro.metrics.max-peers=0")
        .run(
            context ->
                assertThat(context).getFailure().rootCause().hasMessageContaining("maxPeers"));
  }

  @Test
  void beansOfTheApplicationTakeTheirPlace() {
    SimpleMeterRegistry other = new SimpleMeterRegistry();
    runner
        .withBean("mine", MaestroMeters.class, () -> new MaestroMeters(other))
        .withBean("options", MeterOptions.class, MeterOptions::defaults)
        .run(
            context -> {
              assertThat(context).hasSingleBean(MaestroMeters.class).hasBean("mine");
              assertThat(context).hasSingleBean(MeterOptions.class).hasBean("options");
              assertThat(other.find("maestro.memory.limit").gauge()).isNotNull();
            });
  }
}
