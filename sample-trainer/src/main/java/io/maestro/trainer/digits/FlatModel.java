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
 * The tensors of a model on the engine's side, and the copy between them and one flat float32
 * vector in which they lie one after the other. The engine allocates its tensors itself, so one
 * copy each way is the price of the flat vector.
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
      // Through the tensor's own memory: the engine refuses to set one that wants a gradient.
      MemorySegment memory = memoryOf(tensor);
      MemorySegment.copy(parameters, offset, memory, 0, memory.byteSize());
      offset += memory.byteSize();
    }
  }

  /** Tensors to flat vector. */
  void store(MemorySegment parameters) {
    requireSize(parameters);
    long offset = 0;
    for (NDArray tensor : tensors) {
      MemorySegment memory = memoryOf(tensor);
      MemorySegment.copy(memory, 0, parameters, offset, memory.byteSize());
      offset += memory.byteSize();
    }
  }

  /** Gradients of the backward passes since the last call to flat vector. */
  void takeGradients(MemorySegment gradients) {
    requireSize(gradients);
    long offset = 0;
    for (NDArray tensor : tensors) {
      try (NDArray gradient = tensor.getGradient()) {
        MemorySegment memory = memoryOf(gradient);
        MemorySegment.copy(memory, 0, gradients, offset, memory.byteSize());
        // The engine adds the next backward pass to what is there.
        memory.fill((byte) 0);
        offset += memory.byteSize();
      }
    }
  }

  private static MemorySegment memoryOf(NDArray tensor) {
    return MemorySegment.ofBuffer(tensor.toByteBuffer(true));
  }

  private void requireSize(MemorySegment flat) {
    if (flat.byteSize() != shape.bytes()) {
      throw new IllegalArgumentException(
          "the parameters of %s are %d bytes, the flat vector has %d"
              .formatted(shape.name(), shape.bytes(), flat.byteSize()));
    }
  }
}
