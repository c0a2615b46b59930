package io.maestro.boot;

import io.maestro.verbs.VerbsException;
import java.util.List;

/** What named connections must keep to, and what to do when one cannot listen. */
final class ConnectionRules {
  private ConnectionRules() {}

  static void check(String name, MaestroProperties.Named settings) {
    String property = "maestro.connections." + name;
    if (settings.connect().isEmpty() == settings.listen().isEmpty()) {
      throw MaestroStartException.of(
          property,
          "The connection '%s' must either connect or listen, and does %s."
              .formatted(name, settings.connect().isEmpty() ? "neither" : "both"),
          "Set one of %1$s.connect and %1$s.listen.".formatted(property),
          null);
    }
    Addresses.check(property + ".connect", settings.connect());
    Addresses.check(property + ".listen", settings.listen());
  }

  static MaestroStartException bindFailed(String name, List<String> addresses, Throwable failure) {
    String property = "maestro.connections.%s.listen".formatted(name);
    return MaestroStartException.of(
        property,
        "The connection '%s' cannot listen on %s: %s."
            .formatted(name, String.join(", ", addresses), failure.getMessage()),
        cure(property, failure),
        failure);
  }

  private static String cure(String property, Throwable failure) {
    if (!(failure.getCause() instanceof VerbsException verbs)) {
      return "Set maestro.security.secret to the same value on all peers, write an address of this"
          + " machine to %s, or set maestro.security.allow-unauthenticated on a trusted network."
              .formatted(property);
    }
    return switch (verbs.kind()) {
      case ADDRESS_IN_USE ->
          "Stop the process that listens there (ss -ltnp shows it), set %s to another port, or to port"
                  .formatted(property)
              + " 0 to let the system choose.";
      case ADDRESS_UNAVAILABLE ->
          "Set %s to an address of this machine (ip addr shows them), or add the address to an"
                  .formatted(property)
              + " interface.";
      default -> "Meet what the message asks for, or change %s.".formatted(property);
    };
  }
}
