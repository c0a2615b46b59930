package io.maestro.ps;

/** Why a request is answered with something else than OK; never leaves the package. */
final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Status status;
  private final long step;
  private final long argument;

  private Refusal(Status status, long step, long argument, String text) {
    super(text, null, false, false);
    this.status = status;
    this.step = step;
    this.argument = argument;
  }

  Refusal(Status status, String text) {
    this(status, 0, 0, text);
  }

  /** The step to enter at is past. */
  static Refusal tooLate(long complete) {
    return new Refusal(Status.TOO_LATE, complete, 0, "step " + complete + " is complete");
  }

  /**
   * A worker is gone and the others cannot go on: its address and then, on a new line, the text.
   */
  static Refusal memberLost(int rank, String address, String text) {
    return new Refusal(Status.MEMBER_LOST, 0, rank, address + "\n" + text);
  }

  Status status() {
    return status;
  }

  long step() {
    return step;
  }

  long argument() {
    return argument;
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
