package io.maestro.boot;

import io.maestro.Maestro;
import io.maestro.MaestroBuilder;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroException;
import io.maestro.path.LoadBalancerFactory;
import io.maestro.verbs.VerbsProvider;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Creates the Maestro of an application, or says which property to change. */
final class MaestroFactory {
  private MaestroFactory() {}

  static Maestro create(MaestroConfig config, boolean ownProvider, MaestroBuilder builder) {
    checkBalancer(config.balancer());
    if (!ownProvider) {
      checkProvider(config.provider());
    }
    try {
      return builder.create();
    } catch (MaestroException.Unsupported failure) {
      throw MaestroStartException.of(
          "maestro.provider",
          "Maestro cannot start: %s.".formatted(failure.getMessage()),
          "Meet what the message asks for, or choose another maestro.provider: iwarp works on every"
              + " machine with TCP.",
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

  private static void checkProvider(String name) {
    List<String> names =
        ServiceLoader.load(VerbsProvider.class, Maestro.class.getClassLoader()).stream()
            .map(found -> found.get().name())
            .toList();
    if (!names.contains(name)) {
      throw MaestroStartException.of(
          "maestro.provider",
          "There is no verbs provider named '%s'; on the class path are: %s."
              .formatted(name, String.join(", ", new TreeSet<>(names))),
          "Set maestro.provider to one of these, or add the library that brings '%s'."
              .formatted(name),
          null);
    }
  }
}
