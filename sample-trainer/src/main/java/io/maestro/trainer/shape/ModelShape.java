package io.maestro.trainer.shape;

import java.util.HashSet;
import java.util.List;

/**
 * The parameters of a model: which tensors, in which order they lie in the flat vector that is
 * synchronised.
 *
 * @param name the model's name as an option or a report shows it
 * @param tensors the tensors in flat order, without gaps between them
 */
public record ModelShape(String name, List<TensorShape> tensors) {

  /** Checks that no tensor is named twice. */
  public ModelShape {
    tensors = List.copyOf(tensors);
    var names = new HashSet<String>();
    for (TensorShape tensor : tensors) {
      if (!names.add(tensor.name())) {
        throw new IllegalArgumentException(name + " has the tensor " + tensor.name() + " twice");
      }
    }
  }

  /** The number of parameters. */
  public long parameters() {
    return tensors.stream().mapToLong(TensorShape::elements).sum();
  }

  /** The size of the flat vector in bytes: four for each parameter. */
  public long bytes() {
    return parameters() * Float.BYTES;
  }
}
