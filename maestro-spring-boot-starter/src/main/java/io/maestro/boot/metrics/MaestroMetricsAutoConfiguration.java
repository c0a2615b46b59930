package io.maestro.boot.metrics;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetricsPublisher;
import io.maestro.Maestro;
import io.maestro.boot.MaestroAutoConfiguration;
import io.maestro.metrics.BreakerMeters;
import io.maestro.metrics.MaestroMeters;
import io.maestro.metrics.MaestroObservations;
import io.maestro.metrics.MeterOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Registers Maestro's meters and observations where the application has registries for them; each
 * part gives way to a bean of the application's own.
 */
@AutoConfiguration(
    after = MaestroAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@ConditionalOnClass({Maestro.class, MeterRegistry.class})
@ConditionalOnBooleanProperty(name = "maestro.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "maestro.metrics.enabled", matchIfMissing = true)
@EnableConfigurationProperties(MaestroMetricsProperties.class)
public final class MaestroMetricsAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  MeterOptions maestroMeterOptions(MaestroMetricsProperties properties) {
    return MeterOptions.defaults().withLimits(properties.maxPeers(), properties.maxPaths());
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnSingleCandidate(MeterRegistry.class)
  static class Meters {

    @Bean
    @ConditionalOnMissingBean
    MaestroMeters maestroMeters(MeterRegistry registry, MeterOptions options) {
      return new MaestroMeters(registry, options);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(TaggedCircuitBreakerMetricsPublisher.class)
  @ConditionalOnSingleCandidate(MeterRegistry.class)
  @ConditionalOnBooleanProperty(name = "maestro.metrics.breakers", matchIfMissing = true)
  @ImportRuntimeHints(BreakerHints.class)
  static class Breakers {

    @Bean
    @ConditionalOnMissingBean
    BreakerMeters maestroBreakerMeters(
        CircuitBreakerRegistry breakers, MeterRegistry registry, MeterOptions options) {
      return BreakerMeters.bind(breakers, registry, options);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ObservationRegistry.class)
  @ConditionalOnSingleCandidate(ObservationRegistry.class)
  @ConditionalOnBooleanProperty(name = "maestro.metrics.observations", matchIfMissing = true)
  static class Observations {

    @Bean
    @ConditionalOnMissingBean
    MaestroObservations maestroObservations(ObservationRegistry registry) {
      return new MaestroObservations(registry);
    }
  }

  /** Breakers are renamed by a proxy. */
  static final class BreakerHints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
      hints.proxies().registerJdkProxy(CircuitBreaker.class);
    }
  }
}
