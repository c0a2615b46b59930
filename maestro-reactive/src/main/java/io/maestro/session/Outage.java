package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.verbs.EventLoop;
import org.jspecify.annotations.Nullable;

/** The time in which a session has no path. Its publishers wait. Session's loop only. */
final class Outage {
  private final SessionContext context;
  private final FailoverHost host;
  private final long reconnectNs;
  private EventLoop.@Nullable Timer timer;
  private @Nullable Throwable firstCause;
  private long heardNs;
  private boolean heard;

  Outage(SessionContext context, FailoverHost host, long reconnectNs) {
    this.context = context;
    this.host = host;
    this.reconnectNs = reconnectNs;
  }

  /** A path is lost; the first cause since one was gained is the one that users are told. */
  void lost(Path path, Throwable cause) {
    if (firstCause == null) {
      firstCause = cause;
    }
    long pathHeardNs = path.progress().heardNs();
    if (path.progress().local() != null && (!heard || pathHeardNs - heardNs > 0)) {
      heard = true;
      heardNs = pathHeardNs;
    }
  }

  /** A path carries chunks again. */
  void over() {
    firstCause = null;
    stop();
  }

  boolean isOn() {
    return timer != null;
  }

  /**
   * The last path is lost.
   *
   * @param mostNs ends the session after this time at the latest
   */
  void begin(long mostNs) {
    if (timer == null) {
      long sinceHeardNs = heard ? context.loop().nanoTime() - heardNs : 0;
      long waitNs = Math.max(0, Math.min(mostNs, reconnectNs - sinceHeardNs));
      timer = context.loop().schedule(waitNs, () -> giveUp("none came back in time"));
    }
  }

  /** Ends the session: no path will come back. */
  void giveUp(String why) {
    stop();
    host.end(failure(why));
  }

  /** The typed error of a session without paths. */
  MaestroException failure(String why) {
    Throwable first = firstCause;
    return new MaestroException.ConnectionLost(
        "the connection to %s has lost its last path, %s; first of all: %s"
            .formatted(context.peer(), why, first == null ? "unknown" : first.getMessage()),
        first);
  }

  void stop() {
    EventLoop.Timer current = timer;
    if (current != null) {
      current.cancel();
      timer = null;
    }
  }
}
