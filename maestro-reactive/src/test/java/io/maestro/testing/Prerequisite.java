package io.maestro.testing;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * Something that a system test needs from the machine it runs on.
 *
 * <p>Where it is missing, {@link #require()} skips the test and says why. Where system tests are
 * required (property {@code maestro.system.required} or environment variable {@code
 * MAESTRO_SYSTEM_REQUIRED} is {@code true}, as in CI) the test fails instead: nothing is skipped
 * unseen.
 */
public final class Prerequisite {
  private static final String PROPERTY = "maestro.system.required";
  private static final String VARIABLE = "MAESTRO_SYSTEM_REQUIRED";

  private final String what;
  private final String cure;
  private final BooleanSupplier present;

  private Prerequisite(String what, String cure, BooleanSupplier present) {
    this.what = what;
    this.cure = cure;
    this.present = present;
  }

  /** An executable of this name on the {@code PATH}. */
  public static Prerequisite command(String name) {
    return new Prerequisite(
        "command '" + name + "'", "install the package that has it", () -> isOnPath(name));
  }

  /** The right to create namespaces, aliases and captures: user id 0. */
  public static Prerequisite root() {
    return new Prerequisite("root", "run as user id 0", Prerequisite::isRoot);
  }

  /** A Linux kernel. */
  public static Prerequisite linux() {
    return new Prerequisite(
        "Linux", "run on Linux", () -> System.getProperty("os.name").equals("Linux"));
  }

  /** Anything else: {@code what} is needed, {@code cure} says how to get it. */
  public static Prerequisite of(String what, String cure, BooleanSupplier present) {
    return new Prerequisite(what, cure, present);
  }

  /** Requires all of them, in order. */
  public static void requireAll(Prerequisite... prerequisites) {
    List.of(prerequisites).forEach(Prerequisite::require);
  }

  /** Returns when it is present; else skips the calling test, or fails it where required. */
  public void require() {
    require(isRequired());
  }

  void require(boolean required) {
    if (present.getAsBoolean()) {
      return;
    }
    String reason = "this system test needs " + what + ": " + cure;
    if (required) {
      Assertions.fail(reason + " (skipping is off: " + PROPERTY + " or " + VARIABLE + ")");
    }
    // The build's output counts skipped tests without their reasons.
    System.err.println("SKIPPED: " + reason);
    Assumptions.abort(reason);
  }

  private static boolean isRequired() {
    return Boolean.getBoolean(PROPERTY) || Boolean.parseBoolean(System.getenv(VARIABLE));
  }

  private static boolean isOnPath(String name) {
    String path = System.getenv("PATH");
    return path != null
        && Stream.of(path.split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }
}
