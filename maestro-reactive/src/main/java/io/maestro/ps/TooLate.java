package io.maestro.ps;

/** A worker wanted to enter at a step that is past; never leaves the package. */
final class TooLate extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final long complete;

  TooLate(long complete) {
    super("step " + complete + " is complete", null, false, false);
    this.complete = complete;
  }

  long complete() {
    return complete;
  }
}
