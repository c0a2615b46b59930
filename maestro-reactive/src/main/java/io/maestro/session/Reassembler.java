package io.maestro.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which chunks of one incoming message are in place: a bit for each. Any thread, lock-free: the
 * loops of all paths mark what has come by theirs.
 */
final class Reassembler {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int WORD_BITS = Long.SIZE;

  private final long[] words;
  private final int chunkCount;
  private final AtomicInteger missing;

  /** For a message of that many chunks; one of none is complete without any mark. */
  Reassembler(int chunkCount) {
    this.chunkCount = chunkCount;
    this.words = new long[Math.ceilDiv(chunkCount, WORD_BITS)];
    this.missing = new AtomicInteger(chunkCount);
  }

  int chunkCount() {
    return chunkCount;
  }

  /**
   * Marks chunks as arrived; those that were marked before are left as they are. Whoever gets true
   * sees the bytes of all chunks, provided that each was in place before it was marked.
   *
   * @return true exactly once, to the call that marks the last missing chunk
   * @throws IndexOutOfBoundsException when the message has no such chunks; nothing is marked
   */
  boolean mark(int first, int count) {
    Objects.checkFromIndexSize(first, count, chunkCount);
    int end = first + count;
    int added = 0;
    for (int from = first; from < end; ) {
      int word = from / WORD_BITS;
      int to = (int) Math.min(end, (word + 1L) * WORD_BITS);
      long mask = (-1L >>> (WORD_BITS - (to - from))) << from;
      long before = (long) WORDS.getAndBitwiseOr(words, word, mask);
      added += Long.bitCount(mask & ~before);
      from = to;
    }
    return added > 0 && missing.addAndGet(-added) == 0;
  }

  /** How many chunks have been marked. */
  long receivedChunks() {
    return (long) chunkCount - missing.get();
  }

  @Override
  public String toString() {
    return "Reassembler[%d of %d chunks]".formatted(receivedChunks(), chunkCount);
  }
}
