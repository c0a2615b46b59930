package io.maestro.trainer.report;

import org.jspecify.annotations.Nullable;

/** Hears how a process of a run does. Called by the process's main thread. */
public interface RunListener {

  /** A server listens. */
  void listening(String address);

  /** All workers have joined, as one of them sees it. */
  void started();

  /** Something the user should know, in words. */
  void note(String text);

  /**
   * A step has ended.
   *
   * @param step counts from 1 over all epochs
   * @param loss of this process's part of the batch; null when nothing is computed
   */
  default void stepped(long step, @Nullable Double loss) {}

  /** An epoch or a step has ended. */
  void ended(Interval interval);

  /** A worker has come to its end. */
  void finished(WorkerResult result);
}
