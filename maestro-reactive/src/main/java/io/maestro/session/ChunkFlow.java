package io.maestro.session;

import io.maestro.path.DeliveryRate;
import io.maestro.verbs.QueuePair;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The chunks that are under way on a path: posted, announced to the peer, acknowledged by it. A
 * path is FIFO, so numbers suffice. Path's loop only, and the session's once the path has closed.
 */
final class ChunkFlow {
  private final ArrayDeque<Chunk> writes = new ArrayDeque<>();
  private final ArrayDeque<Chunk> reads = new ArrayDeque<>();
  private final NotifyRuns notify = new NotifyRuns();
  private final DeliveryRate rate = new DeliveryRate();
  private long acked;
  private long announced;

  DeliveryRate rate() {
    return rate;
  }

  /** Posts a chunk; false when the queue pair or the next announcement is full. */
  boolean post(QueuePair pair, Chunk chunk, long nowNs) {
    Transfer transfer = chunk.transfer();
    Transfer.Target target = transfer.target();
    boolean posted =
        transfer.kind() == Transfer.Kind.READ
            ? postRead(pair, chunk, target)
            : notify.hasRoomFor(target.slot(), chunk.index()) && postWrite(pair, chunk, target);
    if (posted) {
      chunk.sentAt(nowNs);
      rate.onSent(chunk.length(), nowNs);
    }
    return posted;
  }

  private boolean postRead(QueuePair pair, Chunk chunk, Transfer.Target target) {
    long offset = chunk.offset();
    boolean posted =
        pair.postRead(
            WorkIds.READ,
            chunk.transfer().local(),
            offset,
            chunk.length(),
            target.address() + offset,
            target.rkey());
    if (posted) {
      reads.addLast(chunk);
    }
    return posted;
  }

  private boolean postWrite(QueuePair pair, Chunk chunk, Transfer.Target target) {
    long offset = chunk.offset();
    boolean posted =
        pair.postWrite(
            WorkIds.WRITE,
            chunk.transfer().local(),
            offset,
            chunk.length(),
            target.address() + offset,
            target.rkey());
    if (posted) {
      writes.addLast(chunk);
      notify.add(target.slot(), chunk.index());
    }
    return posted;
  }

  /** Whether what was posted is to be announced before more is. */
  boolean isNotifyDue() {
    return notify.isDue(writes.size());
  }

  /** Announces what was posted, if that is possible now. */
  void sendNotify(QueuePair pair, PathReceiver sender, int credits) {
    if (notify.size() > 0
        && credits > SendQueue.NOTIFY_RESERVE
        && sender.postNotify(pair, notify)) {
      announced += notify.chunks();
      notify.clear();
    }
  }

  /**
   * The peer has this many announced chunks in all.
   *
   * @throws ProtocolViolation when it cannot have
   */
  void acknowledge(long ackSeq, Consumer<Chunk> done) {
    if (ackSeq < acked || ackSeq > announced) {
      throw new ProtocolViolation(
          "the peer acknowledged chunk %d; %d were announced and %d acknowledged"
              .formatted(ackSeq, announced, acked));
    }
    while (acked < ackSeq) {
      acked++;
      done.accept(writes.removeFirst());
    }
  }

  /** The oldest read is done. */
  Chunk readDone() {
    return reads.removeFirst();
  }

  /** Chunks that were announced or written but not acknowledged, oldest first. */
  ArrayDeque<Chunk> unacknowledgedWrites() {
    return writes;
  }

  /** How many chunks the peer has acknowledged. */
  long acknowledged() {
    return acked;
  }

  /** Gives up the reads under way. */
  void drainReads(Consumer<Chunk> sink) {
    reads.forEach(sink);
    reads.clear();
  }
}
