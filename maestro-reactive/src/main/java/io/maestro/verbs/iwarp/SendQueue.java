package io.maestro.verbs.iwarp;

import io.maestro.verbs.WcOpcode;
import io.maestro.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Posted sends, writes and reads of a queue pair, as a ring of columns.
 *
 * <p>An entry is posted, then encoded into FPDUs, then done; entries leave in the order in which
 * they were posted. Positions count for ever; a column's index is the position under the mask.
 */
final class SendQueue {
  private final int depth;
  private final int mask;
  private final long[] wrIds;
  private final WcOpcode[] opcodes;
  private final @Nullable IwarpRegion[] regions;
  private final long[] offsets;
  private final int[] lengths;
  private final long[] remoteAddresses;
  private final int[] rkeys;
  private final long[] endsAt;
  private final boolean[] read;
  private long head;
  private long next;
  private long tail;
  private int segmentedBytes;
  private long readCursor;
  private int receivedBytes;
  private int reads;

  SendQueue(int depth) {
    this.depth = depth;
    int size = depth == 1 ? 1 : Integer.highestOneBit(depth - 1) << 1;
    mask = size - 1;
    wrIds = new long[size];
    opcodes = new WcOpcode[size];
    regions = new IwarpRegion[size];
    offsets = new long[size];
    lengths = new int[size];
    remoteAddresses = new long[size];
    rkeys = new int[size];
    endsAt = new long[size];
    read = new boolean[size];
  }

  boolean isFull() {
    return tail - head == depth;
  }

  boolean isEmpty() {
    return head == tail;
  }

  /** READs that are posted and not complete. */
  int reads() {
    return reads;
  }

  /** Adds an entry; {@link #setRemote} completes it where the work has a remote side. */
  void add(long wrId, WcOpcode opcode, IwarpRegion region, long offset, int length) {
    int i = (int) tail & mask;
    wrIds[i] = wrId;
    opcodes[i] = opcode;
    regions[i] = region;
    offsets[i] = offset;
    lengths[i] = length;
    read[i] = false;
    if (opcode == WcOpcode.READ) {
      reads++;
    }
    tail++;
  }

  /** Names the remote memory of the entry added last. */
  void setRemote(long remoteAddress, int rkey) {
    int i = (int) (tail - 1) & mask;
    remoteAddresses[i] = remoteAddress;
    rkeys[i] = rkey;
  }

  boolean hasNext() {
    return next < tail;
  }

  WcOpcode opcode() {
    return opcodes[(int) next & mask];
  }

  IwarpRegion region() {
    return regionAt(next);
  }

  long offset() {
    return offsets[(int) next & mask] + segmentedBytes;
  }

  /** Bytes of the current entry that are in no segment yet. */
  int remaining() {
    return lengths[(int) next & mask] - segmentedBytes;
  }

  int segmentedBytes() {
    return segmentedBytes;
  }

  long remoteAddress() {
    return remoteAddresses[(int) next & mask] + segmentedBytes;
  }

  int rkey() {
    return rkeys[(int) next & mask];
  }

  void segmented(int bytes) {
    segmentedBytes += bytes;
  }

  /** The current entry is encoded; its last byte is at this position of the stream. */
  void encoded(long streamPosition) {
    endsAt[(int) next & mask] = streamPosition;
    segmentedBytes = 0;
    next++;
  }

  /** The region that the oldest READ without its data goes into; null without such a READ. */
  @Nullable IwarpRegion sinkRegion() {
    return seekRead() ? regionAt(readCursor) : null;
  }

  long sinkOffset() {
    return offsets[(int) readCursor & mask] + receivedBytes;
  }

  int sinkRemaining() {
    return lengths[(int) readCursor & mask] - receivedBytes;
  }

  void sinkReceived(int bytes) {
    receivedBytes += bytes;
  }

  void sinkComplete() {
    read[(int) readCursor & mask] = true;
    receivedBytes = 0;
    readCursor++;
  }

  private boolean seekRead() {
    readCursor = Math.max(readCursor, head);
    while (readCursor < next && opcodes[(int) readCursor & mask] != WcOpcode.READ) {
      readCursor++;
    }
    return readCursor < next;
  }

  /** Whether the oldest entry is done, when the stream is sent up to this position. */
  boolean isHeadDone(long sentPosition) {
    if (head == next) {
      return false;
    }
    int i = (int) head & mask;
    return opcodes[i] == WcOpcode.READ ? read[i] : endsAt[i] <= sentPosition;
  }

  /** Moves the oldest entry into a batch. */
  void complete(WcStatus status, CompletionBatch into) {
    int i = (int) head & mask;
    into.add(wrIds[i], opcodes[i], status, status == WcStatus.SUCCESS ? lengths[i] : 0);
    regions[i] = null;
    if (opcodes[i] == WcOpcode.READ) {
      reads--;
    }
    head++;
    next = Math.max(next, head);
  }

  /** Whether the oldest entry names remote memory that begins at or below this address. */
  boolean headCovers(WcOpcode opcode, int rkey, long address) {
    int i = (int) head & mask;
    return opcodes[i] == opcode
        && rkeys[i] == rkey
        && address - remoteAddresses[i] >= 0
        && address - remoteAddresses[i] <= lengths[i];
  }

  private IwarpRegion regionAt(long position) {
    IwarpRegion region = regions[(int) position & mask];
    if (region == null) {
      throw new IllegalStateException("no work at position " + position);
    }
    return region;
  }
}
