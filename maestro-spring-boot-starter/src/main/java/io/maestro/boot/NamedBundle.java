package io.maestro.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** Finds the SSL bundle that a property names. */
final class NamedBundle {
  private NamedBundle() {}

  /**
   * The bundle of that name; null without a name.
   *
   * @throws MaestroStartException when there is none of that name; it names those that there are
   */
  static @Nullable SslBundle find(
      String property, @Nullable String name, @Nullable SslBundles bundles) {
    if (name == null) {
      return null;
    }
    String cure =
        "Define spring.ssl.bundle.pem.%s or spring.ssl.bundle.jks.%s".formatted(name, name);
    if (bundles == null) {
      throw MaestroStartException.of(property, "There are no SSL bundles.", cure + ".", null);
    }
    try {
      return bundles.getBundle(name);
    } catch (NoSuchSslBundleException unknown) {
      throw MaestroStartException.of(
          property,
          String.valueOf(unknown.getMessage()),
          "%s, or set %s to one of: %s."
              .formatted(cure, property, String.join(", ", bundles.getBundleNames())),
          unknown);
    }
  }
}
