package io.maestro.boot;

import io.maestro.Maestro;
import io.maestro.MaestroBuilder;
import io.maestro.api.MaestroException;

/** Creates the Maestro of an application, or says which property to change. */
final class MaestroFactory {
  private MaestroFactory() {}

  static Maestro create(MaestroBuilder builder) {
    try {
      return builder.create();
    } catch (MaestroException.Unsupported failure) {
      String setting = failure.setting().isEmpty() ? "provider" : failure.setting();
      String property = "maestro." + setting;
      throw MaestroStartException.of(
          property,
          "Maestro cannot start: %s.".formatted(failure.getMessage()),
          cure(property, failure),
          failure);
    }
  }

  private static String cure(String property, MaestroException.Unsupported failure) {
    return switch (property) {
      case "maestro.balancer" ->
          String.valueOf(failure.getMessage()).contains("controller")
              ? "Set maestro.balancer to another strategy, or add a PathController bean."
              : "Set maestro.balancer to one of these, or name your LoadBalancerFactory in"
                  + " META-INF/services.";
      case "maestro.routing.topology" ->
          "Mend the file, set maestro.routing.topology to another, or remove it to have routes probed"
              + " only.";
      case "maestro.tls" ->
          "Set maestro.provider=iwarp, or remove maestro.security.ssl.bundle and protect the network"
              + " by other means.";
      default ->
          "Set maestro.provider to one that works here (iwarp does on every machine with TCP), add"
              + " the library that brings it, or meet what the message asks for.";
    };
  }
}
