package io.maestro.path;

/** A topology that makes no sense, or a file that holds none. The message says where and why. */
public final class TopologyException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int line;
  private final String field;

  /**
   * @param line line of the file, from 1; 0 when it did not come from a file
   * @param field the place, such as {@code links[3].to}
   */
  TopologyException(int line, String field, String problem) {
    super(
        line == 0
            ? "%s: %s".formatted(field, problem)
            : "line %d, %s: %s".formatted(line, field, problem));
    this.line = line;
    this.field = field;
  }

  /** The line of the file, from 1; 0 when it did not come from a file. */
  public int line() {
    return line;
  }

  /** The place, such as {@code links[3].to}. */
  public String field() {
    return field;
  }
}
