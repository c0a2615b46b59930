package io.maestro.verbs;

import java.util.concurrent.Executor;

/**
 * The single thread that everything of a queue pair happens on, and its clock.
 *
 * <p>A loop works in turns: it handles what the network brought, then runs the tasks of {@link
 * #execute}, then the due timers. A task given to {@code execute} by the loop itself therefore runs
 * after the events that are being handled: this is how work of one turn is batched. Neither a task
 * nor a handler may block.
 */
public interface EventLoop extends Executor, NanoClock {

  /** Whether the calling thread is this loop's. */
  boolean inLoop();

  /**
   * Runs a task on this loop in this or the next turn, in the order of submission per calling
   * thread. Does not allocate in steady state. After the loop has ended the task is refused with
   * {@link java.util.concurrent.RejectedExecutionException}.
   */
  @Override
  void execute(Runnable task);

  /**
   * Runs a task on this loop once, {@code delayNs} nanoseconds from now, at a resolution of about a
   * millisecond. May be called from any thread. Meant for a few timers per connection, not per
   * chunk.
   */
  Timer schedule(long delayNs, Runnable task);

  /** A pending timer. */
  interface Timer {
    /** Makes the task not run unless it has begun; any thread; idempotent. */
    void cancel();
  }
}
