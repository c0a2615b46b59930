package io.maestro.session;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The session's control messages: numbers them, gives each to the least loaded path that has a
 * credit for it, and drops duplicates on the way in. Session's loop only.
 */
final class ControlPlane {
  /** How far ahead of the lowest missing number a peer may be. */
  private static final int REORDER_LIMIT = 1 << 16;

  /** How far ahead of the lowest unconfirmed number this side goes, when a path holds that back. */
  private static final int SEND_AHEAD = REORDER_LIMIT / 2;

  private final PathTable paths;
  private final ArrayDeque<Envelope> again = new ArrayDeque<>();
  private final ArrayDeque<Envelope> pending = new ArrayDeque<>();
  private final BitSet confirmed = new BitSet(SEND_AHEAD);
  private final Set<Long> early = new HashSet<>();
  private long lastSent;
  private long confirmedUpTo;
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

  /** Sends again what was on a path that is lost, before all else; a probe was for that path. */
  void repeat(Envelope envelope) {
    if (envelope.isSequenced()) {
      again.addLast(envelope);
    }
  }

  /** The peer has a message. */
  void confirmed(Envelope envelope) {
    if (envelope.isSequenced() && envelope.controlSeq() > confirmedUpTo) {
      confirmed.set(index(envelope.controlSeq()));
      while (confirmed.get(index(confirmedUpTo + 1))) {
        confirmed.clear(index(++confirmedUpTo));
      }
    }
  }

  private static int index(long controlSeq) {
    return (int) (controlSeq % SEND_AHEAD);
  }

  /** Hands over as many control messages as the paths have credits for. */
  void run() {
    int path;
    ArrayDeque<Envelope> queue;
    while ((queue = ready()) != null && (path = paths.forControl()) >= 0) {
      paths.offer(path, queue.removeFirst());
    }
    paths.wakeTouched();
  }

  private @Nullable ArrayDeque<Envelope> ready() {
    if (!again.isEmpty()) {
      return again;
    }
    Envelope next = pending.peekFirst();
    return next != null && next.controlSeq() - confirmedUpTo < SEND_AHEAD ? pending : null;
  }

  boolean idle() {
    return pending.isEmpty() && again.isEmpty();
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
