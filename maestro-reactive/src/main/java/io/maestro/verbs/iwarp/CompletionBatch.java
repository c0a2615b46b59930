package io.maestro.verbs.iwarp;

import io.maestro.verbs.Completions;
import io.maestro.verbs.WcOpcode;
import io.maestro.verbs.WcStatus;
import java.util.Objects;

/** The completions that a loop is about to deliver, of one queue pair at a time. */
final class CompletionBatch implements Completions {
  private static final int CAPACITY = 256;

  private final long[] wrIds = new long[CAPACITY];
  private final WcOpcode[] opcodes = new WcOpcode[CAPACITY];
  private final WcStatus[] statuses = new WcStatus[CAPACITY];
  private final int[] lengths = new int[CAPACITY];
  private int size;

  /** Adds one; the batch must not be full. */
  void add(long wrId, WcOpcode opcode, WcStatus status, int byteLength) {
    wrIds[size] = wrId;
    opcodes[size] = opcode;
    statuses[size] = status;
    lengths[size] = byteLength;
    size++;
  }

  boolean isFull() {
    return size == CAPACITY;
  }

  void clear() {
    size = 0;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long wrId(int index) {
    return wrIds[Objects.checkIndex(index, size)];
  }

  @Override
  public WcOpcode opcode(int index) {
    return opcodes[Objects.checkIndex(index, size)];
  }

  @Override
  public WcStatus status(int index) {
    return statuses[Objects.checkIndex(index, size)];
  }

  @Override
  public int byteLength(int index) {
    return lengths[Objects.checkIndex(index, size)];
  }
}
