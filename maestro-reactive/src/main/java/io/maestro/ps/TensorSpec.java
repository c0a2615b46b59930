package io.maestro.ps;

/**
 * One named tensor of float32 values, flattened. A worker that keeps all its parameters in one
 * vector describes that vector as a single tensor.
 *
 * @param name unique among the tensors of a model, at most 200 characters
 * @param elements how many values it has, 0 or more
 */
public record TensorSpec(String name, long elements) {

  private static final int MAX_NAME_LENGTH = 200;

  /** Checks the values. */
  public TensorSpec {
    if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
      throw new IllegalArgumentException(
          "a tensor's name has 1 to %d characters, was '%s'".formatted(MAX_NAME_LENGTH, name));
    }
    if (elements < 0 || elements > Long.MAX_VALUE >> 20) {
      throw new IllegalArgumentException(
          "tensor %s: elements must be 0 or more, was %d".formatted(name, elements));
    }
  }

  /** Its size in bytes. */
  public long bytes() {
    return elements * Float.BYTES;
  }
}
