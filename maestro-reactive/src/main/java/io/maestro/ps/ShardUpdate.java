package io.maestro.ps;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What a server does with the gradients of a shard. One instance serves all shards; it is called on
 * the configured scheduler, for different shards at the same time, for one shard one call after the
 * other. It may take long but should not block, and must not keep the memory it is given.
 *
 * <p>All memory holds float32 values in native byte order, not necessarily aligned, and is read or
 * written only during the call. An exception ends the job for all workers.
 */
public interface ShardUpdate {

  /**
   * Computes the next version of a shard.
   *
   * @param current the shard's present version, read only
   * @param next where to write every value of the next version; its content is undefined before
   * @param state {@link #stateFloatsPerElement()} times the shard's size, zero before the first
   *     call, kept between calls
   * @param gradients what workers pushed, in the order of their ranks, at least one, each of the
   *     shard's size
   * @param workers by how many to divide the sum of the gradients to get their average: the number
   *     of gradients when synchronous, of members when stale updates are allowed
   */
  void apply(
      MemorySegment current,
      MemorySegment next,
      MemorySegment state,
      List<MemorySegment> gradients,
      int workers);

  /** How many float32 values of state to keep for each element. */
  default int stateFloatsPerElement() {
    return 0;
  }

  /**
   * Whether the next version depends on the present one. If not, no initial parameters are needed,
   * and bounded staleness, which would lose what was overwritten, is refused.
   */
  default boolean usesParameters() {
    return true;
  }

  /**
   * The plain average of what was pushed, the like of an all-reduce: pulls return the average
   * gradient and the workers do the optimization.
   */
  static ShardUpdate average() {
    return new AverageUpdate();
  }

  /**
   * Stochastic gradient descent with momentum on the averaged gradient {@code g}: {@code v = m v +
   * g}, {@code p = p - rate v}, in float32.
   *
   * @param rate the learning rate, positive
   * @param momentum {@code m}, 0 to below 1; 0 keeps no state
   */
  static ShardUpdate sgd(float rate, float momentum) {
    return new SgdUpdate(rate, momentum);
  }
}
