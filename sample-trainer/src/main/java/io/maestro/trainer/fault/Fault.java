package io.maestro.trainer.fault;

/**
 * What is wrong with a virtual NIC.
 *
 * @param kind the kind of fault
 * @param bytesPerSecond what each queue pair may still send, in payload bytes per second; 0 unless
 *     the kind is {@link Kind#SLOW}
 */
public record Fault(Kind kind, long bytesPerSecond) {

  /** Nothing is wrong. */
  public static final Fault NONE = new Fault(Kind.NONE, 0);

  /** Nothing gets through, in either direction, and nobody is told. */
  public static final Fault CUT = new Fault(Kind.CUT, 0);

  /** Kinds of faults. */
  public enum Kind {
    /** Nothing is wrong. */
    NONE,
    /** Less gets through than is sent. */
    SLOW,
    /** Nothing gets through. */
    CUT
  }

  /** Checks that there is a rate exactly when one is needed. */
  public Fault {
    if (kind == Kind.SLOW ? bytesPerSecond < 1 : bytesPerSecond != 0) {
      throw new IllegalArgumentException(
          "%s does not go with %d bytes per second".formatted(kind, bytesPerSecond));
    }
  }

  /**
   * A slow link.
   *
   * @param bytesPerSecond at least 1
   */
  public static Fault slow(long bytesPerSecond) {
    return new Fault(Kind.SLOW, bytesPerSecond);
  }

  boolean cuts() {
    return kind == Kind.CUT;
  }
}
