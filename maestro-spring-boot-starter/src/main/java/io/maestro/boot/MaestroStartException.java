package io.maestro.boot;

import org.jspecify.annotations.Nullable;

/** Maestro cannot be set up as the application asks; says what to change. */
final class MaestroStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String property;
  private final String action;

  private MaestroStartException(
      @Nullable String property, String message, String action, @Nullable Throwable cause) {
    super(message, cause);
    this.property = property;
    this.action = action;
  }

  /** A problem with what is not a property. */
  static MaestroStartException of(String message, String action) {
    return new MaestroStartException(null, message, action, null);
  }

  /**
   * A problem that a property causes or cures.
   *
   * @param property its full name
   */
  static MaestroStartException of(
      String property, String message, String action, @Nullable Throwable cause) {
    return new MaestroStartException(property, message, action, cause);
  }

  @Nullable String property() {
    return property;
  }

  String action() {
    return action;
  }
}
