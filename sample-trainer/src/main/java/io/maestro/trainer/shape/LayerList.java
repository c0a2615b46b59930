package io.maestro.trainer.shape;

import java.util.ArrayList;
import java.util.List;

/** Collects the tensors of a model layer by layer, in flat order. */
public final class LayerList {

  private final List<TensorShape> tensors = new ArrayList<>();

  /** A square convolution kernel without bias: outputs × inputs × side × side. */
  public LayerList convolution(String name, int inputs, int outputs, int side) {
    return add(name + ".weight", outputs, inputs, side, side);
  }

  /** A bias of one value for each output. */
  public LayerList bias(String name, int outputs) {
    return add(name + ".bias", outputs);
  }

  /** A fully connected layer: outputs × inputs, and a bias. */
  public LayerList linear(String name, int inputs, int outputs) {
    return add(name + ".weight", outputs, inputs).bias(name, outputs);
  }

  /** The learned scale and shift of a batch or layer normalisation. */
  public LayerList normalisation(String name, int channels) {
    return add(name + ".scale", channels).add(name + ".shift", channels);
  }

  /** A table with one learned row for each entry. */
  public LayerList embedding(String name, int entries, int width) {
    return add(name + ".table", entries, width);
  }

  /** The model of all layers so far. */
  public ModelShape model(String name) {
    return new ModelShape(name, tensors);
  }

  private LayerList add(String name, Integer... dimensions) {
    tensors.add(TensorShape.of(name, dimensions));
    return this;
  }
}
