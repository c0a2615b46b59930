package io.maestro.boot.actuate;

import io.maestro.Maestro;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroStatus;
import io.maestro.verbs.VerbsProvider;
import io.maestro.verbs.ffi.NativeSocket;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which provider moves the bytes and why, what it may use, and whom it lets in. */
final class ProviderCheck {
  private ProviderCheck() {}

  static List<Finding> look(MaestroStatus maestro) {
    return List.of(provider(maestro), nativeAccess(), security(maestro.config().security()));
  }

  private static Finding provider(MaestroStatus maestro) {
    String used = maestro.provider();
    String wanted = maestro.config().provider();
    String there = "there are: " + available();
    return used.equals(wanted)
        ? Finding.ok("provider", "%s, as maestro.provider asks; %s".formatted(used, there))
        : Finding.warning(
            "provider",
            "%s in place of %s; %s".formatted(used, wanted, there),
            "Make %s work here, or set maestro.provider=%s.".formatted(wanted, used));
  }

  private static String available() {
    return VerbsProvider.installed().values().stream()
        .map(ProviderCheck::described)
        .collect(Collectors.joining("; "));
  }

  private static String described(VerbsProvider provider) {
    return provider
        .unavailable()
        .map(why -> "%s, which cannot work here: %s".formatted(provider.name(), why))
        .orElse(provider.name());
  }

  private static Finding nativeAccess() {
    Optional<String> missing = NativeSocket.unavailable();
    if (missing.isPresent()) {
      return Finding.warning(
          "native access",
          "%s: paths have no congestion marks and routes are not probed".formatted(missing.get()),
          "Start the JVM with --enable-native-access=ALL-UNNAMED, on Linux.");
    }
    return Maestro.class.getModule().isNativeAccessEnabled()
        ? Finding.ok("native access", "paths have the kernel's signals")
        : Finding.warning(
            "native access",
            "it works, but was not allowed: the JDK has warned, and a later one will refuse",
            "Start the JVM with --enable-native-access=ALL-UNNAMED.");
  }

  private static Finding security(MaestroConfig.Security security) {
    if (security.tls() != null) {
      return Finding.ok("security", "paths are encrypted, and peers show certificates");
    }
    if (!security.secret().isEmpty()) {
      return Finding.ok(
          "security",
          "peers prove that they know the secret; bytes are in the clear (maestro.security.ssl.bundle encrypts them)");
    }
    return security.allowUnauthenticated()
        ? Finding.warning(
            "security",
            "anybody who reaches this machine may connect",
            "Set maestro.security.secret to the same value on all peers.")
        : Finding.info(
            "security",
            "there is no secret: only peers on this machine may connect",
            "Set maestro.security.secret to the same value on all peers.");
  }
}
