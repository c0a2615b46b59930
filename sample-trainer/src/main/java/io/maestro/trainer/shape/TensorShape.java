package io.maestro.trainer.shape;

import java.util.List;

/**
 * One named parameter tensor of float32 values.
 *
 * @param name the layer and the parameter, unique in its model
 * @param dimensions the length of each dimension, outermost first
 */
public record TensorShape(String name, List<Integer> dimensions) {

  /** Checks the dimensions. */
  public TensorShape {
    dimensions = List.copyOf(dimensions);
    if (dimensions.isEmpty() || dimensions.stream().anyMatch(length -> length < 1)) {
      throw new IllegalArgumentException(name + ": no tensor has the dimensions " + dimensions);
    }
  }

  /**
   * A tensor of the given dimensions.
   *
   * @param name the layer and the parameter
   * @param dimensions the length of each dimension, outermost first
   */
  public static TensorShape of(String name, Integer... dimensions) {
    return new TensorShape(name, List.of(dimensions));
  }

  /** The number of float32 values. */
  public long elements() {
    return dimensions.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
  }

  /** How many inputs feed one output: the elements of all dimensions but the first. */
  public long fanIn() {
    return elements() / dimensions.getFirst();
  }

  /** Whether this is a matrix or a kernel, not a bias or a scale. */
  public boolean isWeight() {
    return dimensions.size() > 1;
  }
}
