package io.maestro.session;

import io.maestro.verbs.QueuePair;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a path: reads what the peer SENDs, marks announced chunks, and tells the
 * peer, once a turn, how far it has come. Every SEND of this side carries that too. Path's loop
 * only.
 */
final class PathReceiver {
  private final Path path;
  private final PathOwner owner;
  private final PathMemory memory;
  private final WireReader reader = new WireReader();
  private final WireWriter writer = new WireWriter();
  private long received;
  private int consumed;
  private int reported;
  private boolean ackDue;

  PathReceiver(Path path, PathOwner owner, PathMemory memory) {
    this.path = path;
    this.owner = owner;
    this.memory = memory;
  }

  /** Chunks that the peer has announced on this path. */
  long received() {
    return received;
  }

  void onReceive(QueuePair qp, int slot, int length) {
    MemorySegment from = memory.received();
    if (!reader.wrap(from, memory.receiveOffset(slot), length)) {
      throw new ProtocolViolation("a malformed control message: " + reader.problem());
    }
    path.onProgress(reader.recvCredit(), reader.ackSeq());
    switch (reader.type()) {
      case ACK -> {}
      case PING, PROBE -> ackDue = true;
      case NOTIFY -> {
        path.onInbound();
        onNotify();
      }
      default -> onSequenced(from);
    }
    memory.postReceive(qp, slot);
    consumed++;
    // a message of nothing but credits is not answered at once, or two idle peers never rest
    ackDue |= consumed - reported >= SendQueue.DEPTH / 2;
  }

  private void onSequenced(MemorySegment from) {
    ackDue = true;
    long controlSeq = reader.controlSeq();
    if (controlSeq <= 0) {
      throw new ProtocolViolation(reader.type() + " has no number");
    }
    Control control = ControlCodec.read(reader, from, owner.pool());
    owner.loop().execute(() -> owner.onControl(controlSeq, control));
  }

  private void onNotify() {
    ackDue = true;
    for (int run = 0; run < reader.runs(); run++) {
      received += reader.runCount(run);
      int slot = reader.runSlot(run);
      InMessage message = slot == Transfer.NO_SLOT ? null : owner.slots().get(slot);
      if (message != null && mark(message, run)) {
        owner.loop().execute(() -> owner.onReassembled(message));
      }
    }
  }

  private boolean mark(InMessage message, int run) {
    try {
      return message.mark(reader.runFirst(run), reader.runCount(run));
    } catch (IndexOutOfBoundsException outside) {
      throw new ProtocolViolation(
          "chunks were announced outside of message %d: %s"
              .formatted(message.seq(), outside.getMessage()));
    }
  }

  /** Posts a control message; false when the queue is full. */
  boolean post(QueuePair qp, Envelope envelope) {
    return post(qp, ControlCodec.write(begin(envelope.controlSeq()), envelope.control()), envelope);
  }

  boolean postNotify(QueuePair qp, NotifyRuns notify) {
    WireWriter to = begin(0);
    for (int run = 0; run < notify.size(); run++) {
      if (!to.addRun(notify.slot(run), notify.first(run), notify.count(run))) {
        throw new IllegalStateException("a slot is too small for a full notify");
      }
    }
    return post(qp, to.notifyRuns(), null);
  }

  boolean postPing(QueuePair qp) {
    return post(qp, begin(0).ping(), KeepAlive.PING);
  }

  void sendAck(QueuePair qp) {
    if (ackDue && memory.sends().credits() > 0) {
      post(qp, begin(0).ack(), null);
    }
  }

  private WireWriter begin(long controlSeq) {
    SendQueue sends = memory.sends();
    return writer
        .wrap(sends.memory(), sends.slotOffset(), sends.slotBytes())
        .controlSeq(controlSeq);
  }

  private boolean post(QueuePair qp, int length, @Nullable Envelope envelope) {
    SendQueue sends = memory.sends();
    MessageHeader.patch(sends.memory(), sends.slotOffset(), consumed, received);
    boolean posted = sends.post(qp, length, envelope);
    if (posted) {
      ackDue = false;
      reported = consumed;
    }
    return posted;
  }
}
