package io.maestro.trainer.sync;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Short flat vectors. */
final class Vectors {

  private static final Arena ARENA = Arena.ofAuto();

  private Vectors() {}

  static MemorySegment vector(float... values) {
    return ARENA.allocateFrom(ValueLayout.JAVA_FLOAT, values);
  }

  static float[] valuesOf(MemorySegment vector) {
    return vector.toArray(ValueLayout.JAVA_FLOAT);
  }
}
