package io.maestro.session;

import io.maestro.verbs.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.scheduler.Scheduler;

/** Hand-overs to threads that may have ended: what they would have done does not matter then. */
final class Tasks {
  private Tasks() {}

  /** Runs a task on a loop, later; false when the loop has ended. */
  static boolean execute(EventLoop loop, Runnable task) {
    try {
      loop.execute(task);
      return true;
    } catch (RejectedExecutionException ended) {
      return false;
    }
  }

  /** Runs a task on the delivery scheduler. */
  static void schedule(Scheduler.Worker worker, Runnable task) {
    try {
      worker.schedule(task);
    } catch (RejectedExecutionException ended) {
      task.run(); // the scheduler was disposed: nobody else will free what is queued
    }
  }
}
