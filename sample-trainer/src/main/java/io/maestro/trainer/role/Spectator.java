package io.maestro.trainer.role;

import io.maestro.trainer.report.ProcessEvent;

/** Watches the processes of a local run. Called by the run's main thread; must not block. */
public interface Spectator {

  /** Sees nothing. */
  Spectator NOBODY = (child, event) -> {};

  /** What may be said to all processes at once. */
  @FunctionalInterface
  interface Voice {
    /** Writes a line to each; any thread. Blocks while one does not read. */
    void tell(String line);
  }

  /** The run begins. */
  default void begins(Voice voice) {}

  /** A process has told something. */
  void heard(String child, ProcessEvent event);

  /**
   * A process has ended.
   *
   * @param well whether it has done what it was to do
   */
  default void exited(String child, boolean well) {}
}
