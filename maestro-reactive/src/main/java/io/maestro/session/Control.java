package io.maestro.session;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What the two ends of a session say to each other about messages, memory and paths. */
@SuppressWarnings("ArrayRecordComponent") // messages are never compared
sealed interface Control {

  /** The client proves that it knows the session secret; all its paths are set up. */
  record Confirm(byte[] proof) implements Control {}

  /** The receiver lets this many messages in all be started. */
  record Credit(long total) implements Control {}

  /**
   * A whole small message.
   *
   * @param lease what holds the data at the receiver; null at the sender
   */
  record Eager(long seq, byte[] header, MemorySegment data, RegionPool.@Nullable Lease lease)
      implements Control {}

  /** The sender asks for a place for a large message. */
  record Rts(long seq, long size, int priority, byte[] header) implements Control {}

  /** The receiver gives the place. */
  record Cts(long seq, int slot, long address, int rkey) implements Control {}

  /** The sender has given up a message, and none of its chunks is under way. */
  record Cancel(long seq) implements Control {}

  /** The receiver does not want a message; the sender answers with a cancel. */
  record Abort(long seq, AbortReason reason, long limit) implements Control {}

  /** As long as a message can be: whatever carries this and its answer carries all. */
  record Probe() implements Control {}

  /** The sender of this closes the session in order. */
  record Bye() implements Control {}

  /** Asks the peer to make sure that nothing lands through a lost path any more. */
  record Fence(int pathId, int generation) implements Control {}

  /**
   * Nothing lands through that path any more.
   *
   * @param received how many chunks were announced over it before its end
   */
  record Fenced(int pathId, int generation, long received) implements Control {}
}
