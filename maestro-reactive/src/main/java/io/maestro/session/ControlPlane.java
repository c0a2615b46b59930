package io.maestro.session;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
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
  private final Map<Path, ArrayDeque<Envelope>> onTheWay = new HashMap<>();
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

  /** Sends again, before all else, what a path that is lost has not delivered for certain. */
  void lost(Path path) {
    onTheWay.remove(path);
    path.drainControls(this::repeat);
  }

  /**
   * Sends over other paths too what is on a path that makes no progress; the peer takes one. Not
   * small messages: nobody but they wait for these, and their memory goes with the first answer.
   */
  void hedge(Path path) {
    for (Envelope envelope : onTheWay.getOrDefault(path, new ArrayDeque<>())) {
      if (!(envelope.control() instanceof Control.Eager)) {
        repeat(envelope);
      }
    }
  }

  /** What another path has delivered is not repeated, nor is a probe, which was for that path. */
  private void repeat(Envelope envelope) {
    if (envelope.isSequenced() && !isConfirmed(envelope.controlSeq())) {
      again.addLast(envelope);
    }
  }

  /** The peer has a message by this path; runs what waits for that, once. */
  void confirmed(Path path, Envelope envelope) {
    paths.confirmed(path.id());
    boolean news = true;
    if (envelope.isSequenced()) {
      ArrayDeque<Envelope> envelopes = onTheWay.get(path);
      if (envelopes != null) {
        envelopes.pollFirst(); // a path is FIFO
      }
      news = !isConfirmed(envelope.controlSeq());
      confirm(envelope.controlSeq());
    }
    Runnable onConfirmed = envelope.onConfirmed();
    if (news && onConfirmed != null) {
      onConfirmed.run();
    }
  }

  private boolean isConfirmed(long controlSeq) {
    return controlSeq <= confirmedUpTo || confirmed.get(index(controlSeq));
  }

  private void confirm(long controlSeq) {
    if (controlSeq > confirmedUpTo) {
      confirmed.set(index(controlSeq));
    }
    while (confirmed.get(index(confirmedUpTo + 1))) {
      confirmed.clear(index(++confirmedUpTo));
    }
  }

  private static int index(long controlSeq) {
    return (int) (controlSeq % SEND_AHEAD);
  }

  /** Hands over as many control messages as the paths have credits for. */
  void run() {
    Path path;
    ArrayDeque<Envelope> queue;
    while ((queue = ready()) != null && (path = paths.forControl()) != null) {
      Envelope envelope = queue.removeFirst();
      onTheWay.computeIfAbsent(path, any -> new ArrayDeque<>()).addLast(envelope);
      paths.offer(path.id(), envelope);
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
