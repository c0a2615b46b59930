package io.maestro.boot.actuate;

import io.maestro.Maestro;
import io.maestro.boot.MaestroAutoConfiguration;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Adds Maestro to the health of an application. */
@AutoConfiguration(
    after = MaestroAutoConfiguration.class,
    beforeName =
        "org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration")
@ConditionalOnClass(HealthContributor.class)
@ConditionalOnBean(Maestro.class)
@ConditionalOnEnabledHealthIndicator("maestro")
public final class MaestroHealthAutoConfiguration
    extends CompositeHealthContributorConfiguration<MaestroHealthIndicator, Maestro> {

  /** For Spring. */
  public MaestroHealthAutoConfiguration() {
    super(MaestroHealthIndicator::new);
  }

  @Bean
  @ConditionalOnMissingBean(name = {"maestroHealthIndicator", "maestroHealthContributor"})
  HealthContributor maestroHealthContributor(Map<String, Maestro> maestros) {
    return createContributor(maestros);
  }

  /** An application whose Maestro is degraded is degraded: unknown statuses would be left out. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(StatusAggregator.class)
  static class Order {
    private static final String PROPERTY = "management.endpoint.health.status.order";
    private static final List<String> DEFAULT =
        List.of(
            Status.DOWN.getCode(),
            Status.OUT_OF_SERVICE.getCode(),
            MaestroHealthIndicator.DEGRADED.getCode(),
            Status.UP.getCode(),
            Status.UNKNOWN.getCode());

    @Bean
    @ConditionalOnMissingBean
    StatusAggregator maestroHealthStatusAggregator(Environment environment) {
      return StatusAggregator.of(
          Binder.get(environment).bind(PROPERTY, Bindable.listOf(String.class)).orElse(DEFAULT));
    }
  }
}
