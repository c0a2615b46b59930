package io.maestro.boot;

import io.maestro.Maestro;
import io.maestro.MaestroBuilder;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroException;
import io.maestro.path.LoadBalancerFactory;

/** Creates the Maestro of an application, or says which property to change. */
final class MaestroFactory {
  private MaestroFactory() {}

  static Maestro create(MaestroConfig config, MaestroBuilder builder) {
    checkBalancer(config.balancer());
    try {
      return builder.create();
    } catch (MaestroException.Unsupported failure) {
      throw MaestroStartException.of(
          "maestro.provider",
          "Maestro cannot start: %s.".formatted(failure.getMessage()),
          "Set maestro.provider to one that works here (iwarp does on every machine with TCP), add the"
              + " library that brings it, or meet what the message asks for.",
          failure);
    }
  }

  private static void checkBalancer(String name) {
    try {
      LoadBalancerFactory.named(name);
    } catch (MaestroException.Unsupported unknown) {
      throw MaestroStartException.of(
          "maestro.balancer",
          "Maestro cannot start: %s.".formatted(unknown.getMessage()),
          "Set maestro.balancer to one of these, or name your LoadBalancerFactory in META-INF/services.",
          unknown);
    }
  }
}
