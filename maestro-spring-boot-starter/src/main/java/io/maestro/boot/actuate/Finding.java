package io.maestro.boot.actuate;

import org.jspecify.annotations.Nullable;

/**
 * Something that the doctor has looked at.
 *
 * @param check what was looked at
 * @param verdict how it is
 * @param text what was found, in a sentence
 * @param cure what to do; null when nothing need be done
 */
record Finding(String check, Verdict verdict, String text, @Nullable String cure) {

  /** How it is. */
  enum Verdict {
    /** As it should be. */
    OK,
    /** Worth knowing. */
    INFO,
    /** Works, and would be better otherwise. */
    WARNING
  }

  static Finding ok(String check, String text) {
    return new Finding(check, Verdict.OK, text, null);
  }

  static Finding info(String check, String text, @Nullable String cure) {
    return new Finding(check, Verdict.INFO, text, cure);
  }

  static Finding warning(String check, String text, String cure) {
    return new Finding(check, Verdict.WARNING, text, cure);
  }
}
