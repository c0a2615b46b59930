package io.maestro.session;

import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.QueuePair;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The SENDs of one path: a slab of slots, and the credits that the peer's posted receives give. A
 * slot is free again when the peer has consumed its message, so at most {@link #DEPTH} are out and
 * no SEND ever meets a missing receive. Path's loop only.
 */
final class SendQueue {
  /** Receives that each side keeps posted on each path; both peers use the same number. */
  static final int DEPTH = 32;

  /**
   * Credits that session control leaves to notifies, acknowledgements and pongs, and that notifies
   * leave to acknowledgements: what returns credits can always be sent.
   */
  static final int CONTROL_RESERVE = 6;

  static final int NOTIFY_RESERVE = 3;

  private final MemoryRegion region;
  private final int slotBytes;
  private final @Nullable Envelope[] unconfirmed = new Envelope[DEPTH];
  private int posted;
  private int confirmed;

  SendQueue(MemoryRegion region, int slotBytes) {
    this.region = region;
    this.slotBytes = slotBytes;
  }

  int credits() {
    return DEPTH - (posted - confirmed);
  }

  MemorySegment memory() {
    return region.memory();
  }

  /** Offset in {@link #memory()} of the slot that the next SEND uses. */
  long slotOffset() {
    return (long) Math.floorMod(posted, DEPTH) * slotBytes;
  }

  int slotBytes() {
    return slotBytes;
  }

  /** Posts the next slot's first bytes; false when the QP's queue is full. */
  boolean post(QueuePair qp, int length, @Nullable Envelope envelope) {
    if (!qp.postSend(WorkIds.SEND, region, slotOffset(), length)) {
      return false;
    }
    unconfirmed[Math.floorMod(posted, DEPTH)] = envelope;
    posted++;
    return true;
  }

  /**
   * The peer has consumed this many in all.
   *
   * @throws ProtocolViolation when it cannot have
   */
  void confirm(int total, Consumer<Envelope> onConfirmed) {
    int more = total - confirmed;
    if (more < 0 || more > posted - confirmed) {
      throw new ProtocolViolation(
          "the peer returned credit %d; %d were sent and %d confirmed"
              .formatted(total, posted, confirmed));
    }
    take(total, onConfirmed);
  }

  /** Gives up what is not confirmed, in order. */
  void drain(Consumer<Envelope> unconfirmedSink) {
    take(posted, unconfirmedSink);
  }

  private void take(int upTo, Consumer<Envelope> sink) {
    while (confirmed != upTo) {
      int slot = Math.floorMod(confirmed++, DEPTH);
      Envelope envelope = unconfirmed[slot];
      unconfirmed[slot] = null;
      if (envelope != null) {
        sink.accept(envelope);
      }
    }
  }
}
