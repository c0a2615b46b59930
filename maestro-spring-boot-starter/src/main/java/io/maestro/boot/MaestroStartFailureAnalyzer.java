package io.maestro.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Shows what keeps Maestro from starting, where it was set, and the cure. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MaestroStartFailureAnalyzer extends AbstractFailureAnalyzer<MaestroStartException> {
  private final Environment environment;

  MaestroStartFailureAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, MaestroStartException cause) {
    return new FailureAnalysis(
        cause.getMessage() + origin(cause.property()), cause.action(), cause);
  }

  private String origin(@Nullable String property) {
    if (property == null) {
      return "";
    }
    ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty found = source.getConfigurationProperty(name);
      if (found != null && found.getOrigin() != null) {
        return "\n\n%s is set at %s".formatted(property, found.getOrigin());
      }
    }
    return "";
  }
}
