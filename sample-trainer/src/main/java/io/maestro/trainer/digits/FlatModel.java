package io.maestro.trainer.digits;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.maestro.trainer.shape.ModelShape;
import io.maestro.trainer.shape.TensorShape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The tensors of a model on the engine's side, and the copy between them and one flat float32 vector in which they lie one after
 * the other. The engine allocates its tensors itself, so one copy each way is what it costs.
 */
final class FlatModel {

  private final ModelShape shape;
  private final List<NDArray> tensors = new ArrayList<>();

  /** Tensors of zeros that want gradients; they live as long as the manager. */
  FlatModel(NDManager manager, ModelShape shape) {
    this.shape = shape;
    for (TensorShape tensor : shape.tensors()) {
      long[] dimensions = tensor.dimensions().stream().mapToLong(Integer::longValue).toArray();
      NDArray array = manager.zeros(new Shape(dimensions), DataType.FLOAT32);
      array.setRequiresGradient(true);
      tensors.add(array);
    }
  }

  NDArray tensor(int index) {
    return tensors.get(index);
  }

  /** Flat vector to tensors. */
  void load(MemorySegment parameters) {
    requireSize(parameters);
    long offset = 0;
    for (NDArray tensor : tensors) {
      // A direct view of the tensor's own memory: the engine refuses an in-place set of a tensor that wants a gradient.
      MemorySegment view = MemorySegment.ofBuffer(tensor.toByteBuffer(true));
      MemorySegment.copy(parameters, offset, view, 0, view.byteSize());
      offset += view.byteSize();
    }
  }

  /** Tensors to flat vector. */
  void store(MemorySegment parameters) {
    copyOut(tensors, parameters);
  }

  /** Gradients of the last backward pass to flat vector. */
  void storeGradients(MemorySegment gradients) {
    requireSize(gradients);
    long offset = 0;
    for (NDArray tensor : tensors) {
      try (NDArray gradient = tensor.getGradient()) {
        MemorySegment view = MemorySegment.ofBuffer(gradient.toByteBuffer(true));
        MemorySegment.copy(view, 0, gradients, offset, view.byteSize());
        view.fill((byte) 0);
        offset += view.byteSize();
      }
    }
  }

  private void copyOut(List<NDArray> arrays, MemorySegment target) {
    requireSize(target);
    long offset = 0;
    for (NDArray array : arrays) {
      MemorySegment view = MemorySegment.ofBuffer(array.toByteBuffer(true));
      MemorySegment.copy(view, 0, target, offset, view.byteSize());
      offset += view.byteSize();
    }
  }

  private void requireSize(MemorySegment flat) {
    if (flat.byteSize() != shape.bytes()) {
      throw new IllegalArgumentException(
          shape.name() + " has " + shape.bytes() + " bytes of parameters, the flat vector " + flat.byteSize());
    }
  }
}
