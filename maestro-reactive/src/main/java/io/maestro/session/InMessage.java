package io.maestro.session;

import io.maestro.api.MaestroObserver.Finish;
import io.maestro.api.MaestroObserver.Outcome;
import io.maestro.verbs.MemoryRegion;
import org.jspecify.annotations.Nullable;

/**
 * A large message on its way in. Session's loop only, but for {@link #mark}, which any path's loop
 * calls once {@link #place} has been done.
 */
final class InMessage {
  private final long seq;
  private final long size;
  private final byte[] header;
  private final Finish end;
  private RegionPool.@Nullable Lease lease;
  private @Nullable MemoryRegion region;
  private @Nullable Reassembler reassembler;
  private int slot;

  /**
   * @param end is told how it ends
   */
  InMessage(long seq, long size, byte[] header, Finish end) {
    this.seq = seq;
    this.size = size;
    this.header = header;
    this.end = end;
  }

  long seq() {
    return seq;
  }

  long size() {
    return size;
  }

  byte[] header() {
    return header;
  }

  /** Tells whoever observes it how it has ended. */
  void finished(Outcome outcome, @Nullable Throwable failure) {
    end.finished(outcome, failure);
  }

  int slot() {
    return slot;
  }

  boolean placed() {
    return region != null;
  }

  void place(RegionPool.Lease newLease, MemoryRegion newRegion, Reassembler newReassembler) {
    lease = newLease;
    region = newRegion;
    reassembler = newReassembler;
  }

  void slot(int newSlot) {
    slot = newSlot;
  }

  /** Marks chunks as arrived; true exactly once, for the call that completes the message. */
  boolean mark(int first, int count) {
    Reassembler current = reassembler;
    if (current == null) {
      throw new ProtocolViolation("message " + seq + " has no place yet");
    }
    return current.mark(first, count);
  }

  /** Ends the peer's access and gives the memory to the caller. */
  RegionPool.Lease take() {
    MemoryRegion registered = region;
    RegionPool.Lease taken = lease;
    if (registered == null || taken == null) {
      throw new IllegalStateException("message " + seq + " has no place");
    }
    registered.close();
    region = null;
    lease = null;
    return taken;
  }

  /** Ends the peer's access and gives the memory back. */
  void discard() {
    if (placed()) {
      take().release();
    }
  }
}
