package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.api.MaestroObserver.Finish;
import io.maestro.api.MaestroObserver.Outcome;
import io.maestro.verbs.Access;
import io.maestro.verbs.MemoryRegion;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Messages on their way in. The subscriber's demand becomes credits for the sender; a large message
 * gets its place when the memory budget has room, in the order of the offers. Session's loop only.
 */
final class Inbound {
  private final SessionContext context;
  private final ControlPlane controls;
  private final SlotTable<InMessage> slots;
  private final MessageFlux messages;
  private final Later later;
  private final Map<Long, InMessage> current = new HashMap<>();
  private final ArrayDeque<InMessage> unplaced = new ArrayDeque<>();
  private final Set<Long> cancelledEarly = new HashSet<>();
  private long startedTotal;
  private long finishedTotal;
  private long grantedTotal;
  private long announcedTotal;

  Inbound(SessionContext context, ControlPlane controls, SlotTable<InMessage> slots, Later later) {
    this.context = context;
    this.controls = controls;
    this.slots = slots;
    this.later = later;
    this.messages = new MessageFlux(context, this, later);
  }

  MessageFlux messages() {
    return messages;
  }

  // ---- demand

  /**
   * Tells the sender how many messages it may start: what is granted and not finished stays within
   * the demand and the limit of messages under way. Small changes wait until they are worth a
   * message, unless the sender has nothing left.
   */
  void grant() {
    long limit = context.parameters().maxMessages();
    long open = Math.min(limit, messages.demand());
    grantedTotal = Math.max(grantedTotal, finishedTotal + open);
    long news = grantedTotal - announcedTotal;
    if (news > 0 && (news >= Math.max(1, limit / 4) || announcedTotal <= startedTotal)) {
      announcedTotal = grantedTotal;
      controls.send(new Control.Credit(grantedTotal));
    }
  }

  /** Messages have been handed to the subscriber. */
  void delivered(long count) {
    finishedTotal += count;
    grant();
  }

  private void dropped() {
    finishedTotal++;
    grant();
  }

  private void started(long seq) {
    startedTotal++;
    if (startedTotal > announcedTotal) {
      throw new ProtocolViolation(
          "message %d was started, but only %d were granted".formatted(seq, announcedTotal));
    }
  }

  // ---- the sender's messages

  void onEager(Control.Eager eager) {
    RegionPool.Lease lease = eager.lease();
    if (lease == null) {
      throw new IllegalStateException("an incoming message has no memory");
    }
    started(eager.seq());
    Finish end = context.observed().receive(eager.data().byteSize());
    if (messages.subscribed()) {
      messages.deliver(new ReceivedMessage(eager.seq(), eager.header(), eager.data(), lease));
      end.finished(Outcome.DONE, null);
    } else {
      end.finished(Outcome.CANCELLED, null);
      lease.release();
      dropped();
    }
  }

  void onRts(Control.Rts rts) {
    started(rts.seq());
    if (current.containsKey(rts.seq())) {
      throw new ProtocolViolation("message %d was offered twice".formatted(rts.seq()));
    }
    if (cancelledEarly.remove(rts.seq())) {
      dropped();
      return;
    }
    InMessage message =
        new InMessage(rts.seq(), rts.size(), rts.header(), context.observed().receive(rts.size()));
    current.put(rts.seq(), message);
    if (!messages.subscribed()) {
      abort(message, AbortReason.RECEIVER_CANCELLED);
    } else if (rts.size() > context.budget().limitBytes()) {
      abort(message, AbortReason.OVER_BUDGET);
    } else {
      unplaced.addLast(message);
      place();
    }
  }

  private void abort(InMessage message, AbortReason reason) {
    unplaced.remove(message);
    if (reason == AbortReason.RECEIVER_CANCELLED) {
      message.finished(Outcome.CANCELLED, null);
    } else {
      message.finished(Outcome.FAILED, refusal(message, reason));
    }
    controls.send(new Control.Abort(message.seq(), reason, context.budget().limitBytes()));
  }

  private MaestroException refusal(InMessage message, AbortReason reason) {
    String text =
        "%d bytes from %s do not fit: %s"
            .formatted(message.size(), context.peer(), context.budget());
    return reason == AbortReason.OVER_BUDGET
        ? new MaestroException.TooLarge(text)
        : new MaestroException.Rejected("no-memory", text);
  }

  /** Gives places while there is room. */
  void place() {
    InMessage message;
    while ((message = unplaced.peekFirst()) != null
        && context.budget().tryReserve(message.size())) {
      unplaced.removeFirst();
      place(message);
    }
  }

  private void place(InMessage message) {
    RegionPool pool = context.pool();
    if (pool.isQuick(message.size())) {
      place(message, pool.tryLeaseReserved(message.size()));
    } else {
      context.blocking().schedule(() -> allocate(message));
    }
  }

  /** Not on the loop: meanwhile the paths go on. */
  private void allocate(InMessage message) {
    RegionPool.Lease lease = context.pool().tryLeaseReserved(message.size());
    if (!later.run(() -> place(message, lease)) && lease != null) {
      lease.release();
    }
  }

  private void place(InMessage message, RegionPool.@Nullable Lease lease) {
    boolean wanted = current.get(message.seq()) == message;
    if (lease == null || !wanted) {
      if (lease != null) {
        lease.release();
      } else if (wanted) {
        abort(message, AbortReason.NO_MEMORY);
      }
      return;
    }
    MemoryRegion region = context.domain().register(lease.memory(), Set.of(Access.REMOTE_WRITE));
    Chunking chunking = new Chunking(message.size(), context.parameters().chunkBytes());
    message.place(lease, region, new Reassembler(chunking.count()));
    message.slot(slots.put(message));
    controls.send(
        new Control.Cts(message.seq(), message.slot(), region.remoteAddress(), region.rkey()));
  }

  void onReassembled(InMessage message) {
    if (current.remove(message.seq()) == null) {
      return; // cancelled at the last moment
    }
    slots.remove(message.slot());
    RegionPool.Lease lease = message.take();
    if (messages.subscribed()) {
      messages.deliver(new ReceivedMessage(message.seq(), message.header(), lease.memory(), lease));
      message.finished(Outcome.DONE, null);
    } else {
      message.finished(Outcome.CANCELLED, null);
      lease.release();
      dropped();
    }
  }

  void onCancel(Control.Cancel cancel) {
    InMessage message = current.remove(cancel.seq());
    if (message != null) {
      message.finished(Outcome.CANCELLED, null);
      forget(message);
      dropped();
    } else if (cancel.seq() > 0 && cancelledEarly.size() < context.parameters().maxMessages()) {
      cancelledEarly.add(cancel.seq());
    }
  }

  private void forget(InMessage message) {
    unplaced.remove(message);
    if (message.placed()) {
      slots.remove(message.slot());
      message.discard();
    }
  }

  /** The subscriber has gone: the sender is asked to stop what is under way. */
  void onSubscriberGone() {
    for (InMessage message : current.values()) {
      abort(message, AbortReason.RECEIVER_CANCELLED);
    }
  }

  /** The session has ended: nothing can land any more. */
  void end(MaestroException reason) {
    for (InMessage message : current.values()) {
      message.finished(Outcome.FAILED, reason);
      forget(message);
    }
    current.clear();
    unplaced.clear();
  }
}
