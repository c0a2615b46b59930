package io.maestro.trainer.browser;

import java.util.Locale;

/**
 * A screen and what its user prefers.
 *
 * @param width in CSS pixels
 * @param height in CSS pixels
 */
public record Look(int width, int height, Scheme scheme) {

  /** The colours that the user prefers. */
  public enum Scheme {
    /** Light on dark. */
    DARK,
    /** Dark on light. */
    LIGHT;

    String value() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  boolean isPhone() {
    return width < 600;
  }
}
