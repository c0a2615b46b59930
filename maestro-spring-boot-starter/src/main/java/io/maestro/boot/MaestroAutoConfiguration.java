package io.maestro.boot;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.maestro.Maestro;
import io.maestro.MaestroBuilder;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroObserver;
import io.maestro.api.PathController;
import io.maestro.net.PathPlanner;
import io.maestro.verbs.VerbsProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Sets up Maestro for an application; each part gives way to a bean of the application's own. */
@AutoConfiguration(
    after = SslAutoConfiguration.class,
    afterName = {
      "io.github.resilience4j.springboot3.circuitbreaker.autoconfigure.CircuitBreakerAutoConfiguration",
      "io.github.resilience4j.springboot4.circuitbreaker.autoconfigure.CircuitBreakerAutoConfiguration"
    })
@ConditionalOnClass(Maestro.class)
@ConditionalOnBooleanProperty(name = "maestro.enabled", matchIfMissing = true)
@EnableConfigurationProperties(MaestroProperties.class)
@ImportRuntimeHints(MaestroRuntimeHints.class)
public final class MaestroAutoConfiguration {
  private static final String BUNDLE = "maestro.security.ssl.bundle";

  @Bean
  @ConditionalOnMissingBean
  MaestroConfig maestroConfig(
      MaestroProperties properties,
      ObjectProvider<VerbsProvider> provider,
      ObjectProvider<SslBundles> bundles,
      ObjectProvider<MaestroConfigCustomizer> customizers) {
    SslBundle tls =
        NamedBundle.find(BUNDLE, properties.security().ssl().bundle(), bundles.getIfAvailable());
    return MaestroConfig.with(
        settings -> {
          ConfigMapping.apply(properties, settings);
          provider.ifUnique(bean -> settings.provider(bean.name()));
          settings.tls(tls == null ? null : tls.createSslContext());
          customizers.orderedStream().forEach(customizer -> customizer.customize(settings));
          return settings;
        });
  }

  @Bean
  @ConditionalOnMissingBean
  CircuitBreakerRegistry maestroCircuitBreakerRegistry() {
    return CircuitBreakerRegistry.ofDefaults();
  }

  @Bean
  @ConditionalOnMissingBean
  Maestro maestro(
      MaestroConfig config,
      CircuitBreakerRegistry breakers,
      ObjectProvider<VerbsProvider> provider,
      ObjectProvider<MaestroBuilderCustomizer> customizers) {
    MaestroBuilder builder = Maestro.builder(config).breakers(breakers);
    provider.ifUnique(builder::provider);
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return MaestroFactory.create(builder);
  }

  /** Comes first, so that an application's own customizers have the last word. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  MaestroBuilderCustomizer maestroPolicies(
      ObjectProvider<PathPlanner> planner,
      ObjectProvider<PathController> controller,
      ObjectProvider<MaestroObserver> observers) {
    return builder -> {
      planner.ifUnique(builder::planner);
      controller.ifUnique(builder::controller);
      observers.orderedStream().forEach(builder::observer);
    };
  }

  @Bean
  @ConditionalOnMissingBean
  MaestroConnections maestroConnections(Maestro maestro, MaestroProperties properties) {
    return new MaestroConnections(maestro, properties.connections());
  }

  @Bean
  @ConditionalOnMissingBean
  MaestroTemplate maestroTemplate(MaestroConnections connections) {
    return new MaestroTemplate(connections);
  }

  @Bean
  static ListenerMethods maestroListenerMethods() {
    return new ListenerMethods();
  }

  @Bean
  ConnectionsPhase maestroConnectionsPhase(MaestroConnections connections, MaestroConfig config) {
    return new ConnectionsPhase(connections, config.timeouts().close());
  }

  @Bean
  ListenersPhase maestroListenersPhase(
      ListenerMethods methods,
      MaestroConnections connections,
      ObjectProvider<MaestroListenerErrorHandler> errors,
      MaestroProperties properties) {
    return new ListenersPhase(
        methods,
        connections,
        errors.getIfUnique(() -> ListenerContainer::log),
        properties.shutdown().drain());
  }
}
