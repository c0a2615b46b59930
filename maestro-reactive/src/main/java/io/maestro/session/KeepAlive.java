package io.maestro.session;

import io.maestro.verbs.EventLoop;
import io.maestro.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Watches one path for silence: after one interval the peer is asked for a sign of life, after
 * {@link #LOST_AFTER} intervals the path counts as lost. Path's loop only.
 */
final class KeepAlive {
  /** Intervals of silence after which a path is lost. */
  static final int LOST_AFTER = 3;

  /** Stands for a ping among what is to be confirmed. */
  static final Envelope PING = new Envelope(0, new Control.Probe(), null);

  private final Path path;
  private final EventLoop loop;
  private final long intervalNs;
  private final Runnable check = this::check;
  private EventLoop.@Nullable Timer timer;
  private long heardNs;
  private boolean heard;
  private boolean pingDue;

  KeepAlive(Path path, EventLoop loop, long intervalNs) {
    this.path = path;
    this.loop = loop;
    this.intervalNs = intervalNs;
  }

  void start() {
    heardNs = loop.nanoTime();
    timer = loop.schedule(intervalNs, check);
  }

  /** Something came from the peer. */
  void heard() {
    heard = true;
  }

  /** Asks for a sign of life. */
  void ask() {
    pingDue = true;
    path.wake();
  }

  /** Whether a ping is due; the caller sends it. */
  boolean takePing() {
    boolean due = pingDue;
    pingDue = false;
    return due;
  }

  private void check() {
    long nowNs = loop.nanoTime();
    if (heard) {
      heardNs = nowNs;
      heard = false;
    }
    long silentNs = nowNs - heardNs;
    if (silentNs >= LOST_AFTER * intervalNs) {
      path.fail(
          new VerbsException(
              VerbsException.Kind.TIMED_OUT,
              "path %d heard nothing for %d ms: the peer is frozen, gone, or cut off"
                  .formatted(path.id(), silentNs / 1_000_000)));
      return;
    }
    if (silentNs > 0) {
      ask();
      path.pinged();
    }
    timer = loop.schedule(intervalNs, check);
  }

  void stop() {
    EventLoop.Timer current = timer;
    if (current != null) {
      current.cancel();
    }
  }
}
