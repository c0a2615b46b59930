package io.maestro.trainer.role;

import java.io.Serial;

/** A run of several processes failed; the message says which and is made to be shown. */
public final class RunFailedException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final boolean isFromOutside;

  RunFailedException(String message) {
    this(message, false);
  }

  private RunFailedException(String message, boolean isFromOutside) {
    super(message);
    this.isFromOutside = isFromOutside;
  }

  static RunFailedException fromOutside() {
    return new RunFailedException("the run was ended from outside, and all its processes", true);
  }

  /** Whether this program was told to end: it has no time for anything more. */
  public boolean isFromOutside() {
    return isFromOutside;
  }
}
