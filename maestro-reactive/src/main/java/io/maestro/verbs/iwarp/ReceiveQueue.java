package io.maestro.verbs.iwarp;

import io.maestro.verbs.WcOpcode;
import io.maestro.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/** Posted receives of a queue pair, oldest first, as a ring of columns. */
final class ReceiveQueue {
  private final int depth;
  private final int mask;
  private final long[] wrIds;
  private final @Nullable IwarpRegion[] regions;
  private final long[] offsets;
  private final int[] lengths;
  private long head;
  private long tail;

  ReceiveQueue(int depth) {
    this.depth = depth;
    int size = depth == 1 ? 1 : Integer.highestOneBit(depth - 1) << 1;
    mask = size - 1;
    wrIds = new long[size];
    regions = new IwarpRegion[size];
    offsets = new long[size];
    lengths = new int[size];
  }

  boolean isFull() {
    return tail - head == depth;
  }

  boolean isEmpty() {
    return head == tail;
  }

  void add(long wrId, IwarpRegion region, long offset, int length) {
    int i = (int) tail & mask;
    wrIds[i] = wrId;
    regions[i] = region;
    offsets[i] = offset;
    lengths[i] = length;
    tail++;
  }

  IwarpRegion region() {
    IwarpRegion region = regions[(int) head & mask];
    if (region == null) {
      throw new IllegalStateException("no receive is posted");
    }
    return region;
  }

  long offset() {
    return offsets[(int) head & mask];
  }

  int length() {
    return lengths[(int) head & mask];
  }

  /** Moves the oldest receive into a batch. */
  void complete(WcStatus status, int byteLength, CompletionBatch into) {
    int i = (int) head & mask;
    into.add(wrIds[i], WcOpcode.RECV, status, byteLength);
    regions[i] = null;
    head++;
  }
}
