package io.maestro.session;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The session's control messages: numbers them, gives each to the least loaded path that has a
 * credit for it, and drops duplicates on the way in. Session's loop only.
 */
final class ControlPlane {
  /** How far ahead of the lowest missing number a peer may be: all paths' credits, and more. */
  private static final int REORDER_LIMIT = 64 * SendQueue.DEPTH;

  private final PathTable paths;
  private final ArrayDeque<Envelope> pending = new ArrayDeque<>();
  private final Set<Long> early = new HashSet<>();
  private long lastSent;
  private long seenUpTo;

  ControlPlane(PathTable paths) {
    this.paths = paths;
  }

  void send(Control control) {
    send(control, null);
  }

  void send(Control control, @Nullable Runnable onConfirmed) {
    pending.addLast(new Envelope(++lastSent, control, onConfirmed));
  }

  /** Sends again what was on a path that is lost. */
  void repeat(Envelope envelope) {
    pending.addLast(envelope);
  }

  /** Hands over as many control messages as the paths have credits for. */
  void run() {
    int path;
    while (!pending.isEmpty() && (path = paths.forControl()) >= 0) {
      paths.offer(path, pending.removeFirst());
    }
    paths.wakeTouched();
  }

  boolean idle() {
    return pending.isEmpty();
  }

  /**
   * Whether an incoming control message is new.
   *
   * @throws ProtocolViolation when its number is impossible
   */
  boolean accept(long controlSeq) {
    if (controlSeq <= seenUpTo || early.contains(controlSeq)) {
      return false;
    }
    if (controlSeq - seenUpTo > REORDER_LIMIT) {
      throw new ProtocolViolation(
          "control message %d came while %d is the last in order".formatted(controlSeq, seenUpTo));
    }
    early.add(controlSeq);
    while (early.remove(seenUpTo + 1)) {
      seenUpTo++;
    }
    return true;
  }
}
