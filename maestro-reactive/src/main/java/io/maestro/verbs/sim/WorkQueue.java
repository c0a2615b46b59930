package io.maestro.verbs.sim;

import io.maestro.verbs.WcOpcode;
import io.maestro.verbs.WcStatus;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A ring of work requests that complete in the order they were posted. */
final class WorkQueue {
  private final WorkRequest[] slots;
  private final CompletionQueue completions;
  private long head;
  private long tail;

  /** Posted and not yet handed to the handler: what the depth limits. */
  private int held;

  WorkQueue(int depth, CompletionQueue completions) {
    slots = new WorkRequest[depth];
    this.completions = completions;
    for (int i = 0; i < depth; i++) {
      slots[i] = new WorkRequest();
    }
  }

  boolean isFull() {
    return held == slots.length;
  }

  boolean isEmpty() {
    return head == tail;
  }

  long tail() {
    return tail;
  }

  WorkRequest post(WcOpcode what, long wrId, MemorySegment buffer, long at, int bytes) {
    WorkRequest wr = slots[(int) (tail % slots.length)];
    wr.post(what, wrId, buffer, at, bytes);
    wr.seq = tail++;
    held++;
    return wr;
  }

  /** The oldest that is not complete. */
  WorkRequest first() {
    return get(head);
  }

  WorkRequest get(long seq) {
    return slots[(int) (seq % slots.length)];
  }

  boolean holds(long seq) {
    return seq >= head && seq < tail;
  }

  /** Marks one as done and completes all that are done before the first that is not. */
  void done(WorkRequest wr, int byteLength) {
    wr.complete();
    while (head < tail && first().done) {
      complete(first(), first().seq == wr.seq ? byteLength : first().length);
    }
  }

  /** Completes everything that is left, in order; the failed one with its own status. */
  void flush(@Nullable WorkRequest failed, WcStatus failure) {
    while (head < tail) {
      WorkRequest wr = first();
      boolean succeeded = wr.done;
      wr.status = succeeded ? WcStatus.SUCCESS : wr.equals(failed) ? failure : WcStatus.FLUSHED;
      wr.complete();
      complete(wr, succeeded ? wr.length : 0);
    }
  }

  private void complete(WorkRequest wr, int byteLength) {
    head++;
    completions.add(wr, byteLength);
  }

  /** Frees the slots of completions that the handler now gets. */
  void release(int count) {
    held -= count;
  }
}
