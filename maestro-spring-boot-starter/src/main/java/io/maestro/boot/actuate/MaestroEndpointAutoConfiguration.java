package io.maestro.boot.actuate;

import io.maestro.Maestro;
import io.maestro.api.PathController;
import io.maestro.boot.MaestroAutoConfiguration;
import io.maestro.boot.MaestroBuilderCustomizer;
import io.maestro.boot.MaestroConnections;
import io.maestro.boot.MaestroProperties;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;

/** Adds the actuator endpoint {@code maestro}. */
@AutoConfiguration(after = MaestroAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean({Maestro.class, MaestroConnections.class})
@ConditionalOnAvailableEndpoint(MaestroEndpoint.class)
public final class MaestroEndpointAutoConfiguration {
  private static final String SECURITY =
      "org.springframework.security.access.AccessDeniedException";

  @Bean
  ConnectionLog maestroConnectionLog() {
    return new ConnectionLog();
  }

  /** Holds what is not a bean: it would take the place of an application's controller. */
  @Bean
  MaestroEndpoint.Steering maestroOperators(
      MaestroProperties properties, ObjectProvider<PathController> controllers) {
    PathController other = controllers.getIfUnique();
    return new MaestroEndpoint.Steering(
        new OperatorSteering(),
        ClassUtils.isPresent(SECURITY, getClass().getClassLoader())
            ? Operators.withRole(properties.control().role())
            : Operators.EVERYBODY,
        other == null ? Optional.empty() : Optional.of(other.getClass().getName()));
  }

  /**
   * Only where operators may steer: a connection that is steered reports several times a second.
   */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE + 1)
  MaestroBuilderCustomizer maestroOperatorSteering(
      MaestroEndpoint.Steering steering, EndpointAccessResolver access) {
    Access allowed = access.accessFor(EndpointId.of(MaestroEndpoint.ID), Access.READ_ONLY);
    return builder -> {
      if (allowed == Access.UNRESTRICTED && steering.otherController().isEmpty()) {
        builder.controller(steering.orders());
      }
    };
  }

  @Bean
  @ConditionalOnMissingBean
  MaestroEndpoint maestroEndpoint(
      Maestro maestro,
      MaestroConnections connections,
      ConnectionLog log,
      MaestroEndpoint.Steering steering) {
    return new MaestroEndpoint(maestro, connections, log, steering);
  }
}
