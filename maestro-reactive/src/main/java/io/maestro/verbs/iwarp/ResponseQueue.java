package io.maestro.verbs.iwarp;

import org.jspecify.annotations.Nullable;

/** READs of the peer that wait for their response; bounded by the negotiated depth (IRD). */
final class ResponseQueue {
  private final int depth;
  private final @Nullable IwarpRegion[] regions;
  private final long[] offsets;
  private final int[] lengths;
  private final int[] sinkStags;
  private final long[] sinkAddresses;
  private int head;
  private int size;
  private int segmentedBytes;

  ResponseQueue(int depth) {
    this.depth = depth;
    regions = new IwarpRegion[depth];
    offsets = new long[depth];
    lengths = new int[depth];
    sinkStags = new int[depth];
    sinkAddresses = new long[depth];
  }

  boolean isFull() {
    return size == depth;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Adds one; the region is null when nothing is to be read. */
  void add(@Nullable IwarpRegion region, long offset, int length) {
    int i = (head + size) % depth;
    regions[i] = region;
    offsets[i] = offset;
    lengths[i] = length;
    size++;
  }

  /** Names where the response added last goes at the peer. */
  void setSink(int stag, long address) {
    int i = (head + size - 1) % depth;
    sinkStags[i] = stag;
    sinkAddresses[i] = address;
  }

  @Nullable IwarpRegion region() {
    return regions[head];
  }

  long offset() {
    return offsets[head] + segmentedBytes;
  }

  int remaining() {
    return lengths[head] - segmentedBytes;
  }

  boolean isBegun() {
    return segmentedBytes > 0;
  }

  int sinkStag() {
    return sinkStags[head];
  }

  long sinkAddress() {
    return sinkAddresses[head] + segmentedBytes;
  }

  void segmented(int bytes) {
    segmentedBytes += bytes;
  }

  void remove() {
    regions[head] = null;
    segmentedBytes = 0;
    head = (head + 1) % depth;
    size--;
  }
}
