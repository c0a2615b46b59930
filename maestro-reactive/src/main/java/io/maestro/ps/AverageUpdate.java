package io.maestro.ps;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** The average of the gradients, independent of the parameters. */
record AverageUpdate() implements ShardUpdate {

  @Override
  public void apply(
      MemorySegment current,
      MemorySegment next,
      MemorySegment state,
      List<MemorySegment> gradients,
      int workers) {
    BlockSum sum = new BlockSum();
    long elements = BlockSum.elements(next);
    for (long start = 0; start < elements; start += BlockSum.BLOCK) {
      int length = (int) Math.min(BlockSum.BLOCK, elements - start);
      BlockSum.store(sum.average(gradients, start, length, workers), next, start, length);
    }
  }

  @Override
  public boolean usesParameters() {
    return false;
  }
}
