package io.maestro.trainer.sync;

import java.lang.foreign.MemorySegment;
import reactor.core.publisher.Mono;

/**
 * A worker's side of the synchronisation. One worker, one call under way at a time. No method
 * blocks; work starts at subscription. Errors arrive as {@link SyncException} whose message names
 * the peer at fault. Cancelling a call leaves the synchronisation unusable: close it.
 */
public interface GradientSync extends AutoCloseable {

  /**
   * Joins the run and completes when all workers have.
   *
   * @param parameters native memory for the whole flat vector with this worker's idea of the
   *     initial parameters, which it holds those of the run instead of at completion; the caller's,
   *     not to be touched in between
   */
  Mono<Void> register(JobSpec job, MemorySegment parameters);

  /**
   * Sends the gradients of a step and completes when the parameters hold what the gradients of all
   * workers made of them.
   *
   * @param step counts from 0 without gaps
   * @param gradients native memory with this worker's gradients; the caller's, not to be changed
   *     before completion
   * @param parameters as in {@link #register}
   */
  Mono<Void> pushPull(long step, MemorySegment gradients, MemorySegment parameters);

  /** Whether {@link #pushPull} leaves something else in the gradients than it was given. */
  default boolean overwritesGradients() {
    return false;
  }

  /** What was moved so far. */
  SyncStats stats();

  /** Leaves the run in order. */
  @Override
  void close();
}
