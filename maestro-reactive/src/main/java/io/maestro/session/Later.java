package io.maestro.session;

/** The way onto a session's loop. */
@FunctionalInterface
interface Later {

  /**
   * Runs a task on the loop and then moves what it has made possible. Any thread.
   *
   * @return false when the loop has ended and the task will never run
   */
  boolean run(Runnable task);
}
