package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.verbs.EventLoop;
import org.jspecify.annotations.Nullable;

/** What the failover of paths needs of its session. Session's loop, but {@link #later}. */
interface FailoverHost {

  EventLoop loop();

  /** Whether the session is being opened, and its paths for the first time. */
  boolean isOpening();

  /** Whether paths are of use: the session is open, or has something to finish. */
  boolean wantsPaths();

  /** Ends the session; null when in order. */
  void end(@Nullable MaestroException failure);

  /** Runs a task on the session's loop and then moves what can move. Any thread. */
  boolean later(Runnable task);
}
