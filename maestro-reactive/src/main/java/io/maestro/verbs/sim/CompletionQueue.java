package io.maestro.verbs.sim;

import io.maestro.verbs.Completions;
import io.maestro.verbs.WcOpcode;
import io.maestro.verbs.WcStatus;
import java.util.Arrays;

/** Completions that wait for the handler; also the view that the handler gets. */
final class CompletionQueue implements Completions {
  private static final int FIRST_CAPACITY = 64;

  private long[] ids = new long[FIRST_CAPACITY];
  private int[] lengths = new int[FIRST_CAPACITY];
  private WcOpcode[] opcodes = new WcOpcode[FIRST_CAPACITY];
  private WcStatus[] statuses = new WcStatus[FIRST_CAPACITY];
  private int size;
  private int receives;
  private int reads;

  void add(WorkRequest wr, int byteLength) {
    if (size == ids.length) {
      grow();
    }
    ids[size] = wr.id;
    lengths[size] = byteLength;
    opcodes[size] = wr.opcode;
    statuses[size++] = wr.status;
    receives += wr.opcode == WcOpcode.RECV ? 1 : 0;
    reads += wr.opcode == WcOpcode.READ ? 1 : 0;
  }

  private void grow() {
    int capacity = 2 * size;
    ids = Arrays.copyOf(ids, capacity);
    lengths = Arrays.copyOf(lengths, capacity);
    opcodes = Arrays.copyOf(opcodes, capacity);
    statuses = Arrays.copyOf(statuses, capacity);
  }

  /** Gives all to another, empty queue, by exchanging arrays. */
  void moveTo(CompletionQueue other) {
    long[] otherIds = other.ids;
    int[] otherLengths = other.lengths;
    WcOpcode[] otherOpcodes = other.opcodes;
    WcStatus[] otherStatuses = other.statuses;
    other.ids = ids;
    other.lengths = lengths;
    other.opcodes = opcodes;
    other.statuses = statuses;
    other.size = size;
    other.receives = receives;
    other.reads = reads;
    ids = otherIds;
    lengths = otherLengths;
    opcodes = otherOpcodes;
    statuses = otherStatuses;
    clear();
  }

  void clear() {
    size = 0;
    receives = 0;
    reads = 0;
  }

  int receives() {
    return receives;
  }

  int reads() {
    return reads;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long wrId(int index) {
    return ids[checked(index)];
  }

  @Override
  public WcOpcode opcode(int index) {
    return opcodes[checked(index)];
  }

  @Override
  public WcStatus status(int index) {
    return statuses[checked(index)];
  }

  @Override
  public int byteLength(int index) {
    return lengths[checked(index)];
  }

  private int checked(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("completion " + index + " of " + size);
    }
    return index;
  }
}
