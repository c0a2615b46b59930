package io.maestro.trainer.digits;

import java.lang.foreign.MemorySegment;

/** Turns the gradients of a step into the parameters of the next. */
@FunctionalInterface
public interface StepFunction {

  /**
   * Blocks until the parameters are those of the next step.
   *
   * @param step counts from 0 over all epochs
   * @param gradients of this process's part of the batch
   * @param parameters changed in place
   */
  void apply(long step, MemorySegment gradients, MemorySegment parameters);
}
