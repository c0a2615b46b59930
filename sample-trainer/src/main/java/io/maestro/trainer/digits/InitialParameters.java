package io.maestro.trainer.digits;

import io.maestro.trainer.shape.ModelShape;
import io.maestro.trainer.shape.TensorShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** Where training starts from: the same for the same seed on every machine. */
public final class InitialParameters {

  private InitialParameters() {}

  /**
   * Draws weights evenly from ±1/√fan-in, as LeCun, Bottou, Orr and Müller advise in "Efficient
   * BackProp" up to a factor, and sets biases to 0.
   *
   * @param parameters the flat vector, filled
   */
  public static void fill(ModelShape shape, long seed, MemorySegment parameters) {
    var random = new Random(seed);
    long index = 0;
    for (TensorShape tensor : shape.tensors()) {
      float bound = tensor.isWeight() ? (float) (1 / Math.sqrt((double) tensor.fanIn())) : 0;
      for (long end = index + tensor.elements(); index < end; index++) {
        float value = bound == 0 ? 0 : (2 * random.nextFloat() - 1) * bound;
        parameters.setAtIndex(ValueLayout.JAVA_FLOAT, index, value);
      }
    }
  }
}
