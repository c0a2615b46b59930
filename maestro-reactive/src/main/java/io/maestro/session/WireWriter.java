package io.maestro.session;

import static io.maestro.session.MessageHeader.U16;
import static io.maestro.session.MessageHeader.U32;
import static io.maestro.session.MessageHeader.U64;
import static io.maestro.session.MessageHeader.U8;

import java.lang.foreign.MemorySegment;

/**
 * Encodes control messages in place; reusable, allocates nothing, not thread-safe.
 *
 * <p>After {@link #wrap}, one method writes one message and returns its length in bytes, header
 * included. Each throws {@link IndexOutOfBoundsException} when the capacity is too small. The
 * header's credit and acknowledgement are 0 until {@link MessageHeader#patch}.
 */
final class WireWriter {
  private MemorySegment slab = MemorySegment.NULL;
  private long offset;
  private int capacity;
  private long controlSeq;
  private int runs;
  private int lastSlot;
  private int lastEnd;

  /** Starts a message without sequence number at {@code offset} of {@code slab}. */
  WireWriter wrap(MemorySegment slab, long offset, int capacity) {
    this.slab = slab;
    this.offset = offset;
    this.capacity = capacity;
    this.controlSeq = 0;
    this.runs = 0;
    return this;
  }

  /** Gives the message its number among the sequenced ones of the session, from 1. */
  WireWriter controlSeq(long number) {
    controlSeq = number;
    return this;
  }

  int confirm(byte[] proof) {
    if (proof.length != SessionKeys.PROOF_BYTES) {
      throw new IllegalArgumentException("a proof has 32 bytes, not " + proof.length);
    }
    long body = begin(ControlType.CONFIRM, 0);
    MemorySegment.copy(proof, 0, slab, U8, body, proof.length);
    return length(ControlType.CONFIRM, 0);
  }

  /**
   * Adds chunks to the NOTIFY that {@link #notifyRuns()} ends; a run that continues the last one
   * becomes part of it.
   *
   * @return false, with nothing added, when 64 runs are in it or the capacity is used up
   */
  boolean addRun(int slot, int first, int count) {
    if (runs > 0 && slot == lastSlot && first == lastEnd) {
      long countAt = run(runs - 1) + 8;
      slab.set(U32, countAt, slab.get(U32, countAt) + count);
    } else if (runs == MessageHeader.MAX_RUNS || run(runs + 1) > offset + capacity) {
      return false;
    } else {
      long at = run(runs++);
      slab.set(U32, at, slot);
      slab.set(U32, at + 4, first);
      slab.set(U32, at + 8, count);
    }
    lastSlot = slot;
    lastEnd = first + count;
    return true;
  }

  /** How many runs the NOTIFY has so far. */
  int runs() {
    return runs;
  }

  /** Ends a NOTIFY of the runs added since {@link #wrap}. */
  int notifyRuns() {
    int bytes = runs * MessageHeader.RUN_BYTES;
    slab.set(U16, begin(ControlType.NOTIFY, bytes), (short) runs);
    return length(ControlType.NOTIFY, bytes);
  }

  private long run(int index) {
    return offset
        + MessageHeader.BYTES
        + ControlType.NOTIFY.fixedBodyBytes()
        + (long) index * MessageHeader.RUN_BYTES;
  }

  int ack() {
    begin(ControlType.ACK, 0);
    return length(ControlType.ACK, 0);
  }

  int credit(long total) {
    return number(ControlType.CREDIT, total);
  }

  /**
   * Writes a whole message.
   *
   * @param header the user's header
   * @param data copied from {@code dataOffset} on
   */
  int eager(long msgSeq, byte[] header, MemorySegment data, long dataOffset, int dataBytes) {
    int headerBytes = header.length;
    long body = begin(ControlType.EAGER, headerBytes + dataBytes);
    slab.set(U64, body, msgSeq);
    slab.set(U16, body + 8, (short) headerBytes);
    slab.set(U32, body + 10, dataBytes);
    copy(header, body + 14);
    MemorySegment.copy(data, dataOffset, slab, body + 14 + headerBytes, dataBytes);
    return length(ControlType.EAGER, headerBytes + dataBytes);
  }

  /** Writes a request to send; {@code header} as in {@link #eager}. */
  int rts(long msgSeq, long size, int priority, byte[] header) {
    long body = begin(ControlType.RTS, header.length);
    slab.set(U64, body, msgSeq);
    slab.set(U64, body + 8, size);
    slab.set(U8, body + 16, (byte) priority);
    slab.set(U16, body + 17, (short) header.length);
    copy(header, body + 19);
    return length(ControlType.RTS, header.length);
  }

  private void copy(byte[] header, long at) {
    MemorySegment.copy(header, 0, slab, U8, at, header.length);
  }

  int cts(long msgSeq, int slot, long base, int rkey) {
    long body = begin(ControlType.CTS, 0);
    slab.set(U64, body, msgSeq);
    slab.set(U32, body + 8, slot);
    slab.set(U64, body + 12, base);
    slab.set(U32, body + 20, rkey);
    return length(ControlType.CTS, 0);
  }

  int cancel(long msgSeq) {
    return number(ControlType.CANCEL, msgSeq);
  }

  int abort(long msgSeq, AbortReason reason, long limit) {
    long body = begin(ControlType.ABORT, 0);
    slab.set(U64, body, msgSeq);
    slab.set(U8, body + 8, (byte) reason.code());
    slab.set(U64, body + 9, limit);
    return length(ControlType.ABORT, 0);
  }

  int ping() {
    begin(ControlType.PING, 0);
    return length(ControlType.PING, 0);
  }

  /** Writes a message that fills the slot, so that it needs packets of full size. */
  int probe() {
    int bytes = capacity - length(ControlType.PROBE, 0);
    long body = begin(ControlType.PROBE, bytes);
    slab.asSlice(body, bytes).fill((byte) 0);
    return length(ControlType.PROBE, bytes);
  }

  int bye() {
    begin(ControlType.BYE, 0);
    return length(ControlType.BYE, 0);
  }

  int fence(int pathId, int generation) {
    path(ControlType.FENCE, pathId, generation);
    return length(ControlType.FENCE, 0);
  }

  /** Writes the answer to a FENCE; {@code received} counts the chunks of that QP. */
  int fenced(int pathId, int generation, long received) {
    long body = path(ControlType.FENCED, pathId, generation);
    slab.set(U64, body + 6, received);
    return length(ControlType.FENCED, 0);
  }

  private int number(ControlType type, long value) {
    slab.set(U64, begin(type, 0), value);
    return length(type, 0);
  }

  private long path(ControlType type, int pathId, int generation) {
    long body = begin(type, 0);
    slab.set(U16, body, (short) pathId);
    slab.set(U32, body + 2, generation);
    return body;
  }

  private static int length(ControlType type, int variableBytes) {
    return MessageHeader.BYTES + type.fixedBodyBytes() + variableBytes;
  }

  /** Writes the header; returns the offset of the body. */
  private long begin(ControlType type, int variableBytes) {
    int length = length(type, variableBytes);
    if (length > capacity) {
      throw new IndexOutOfBoundsException(
          "%s needs %d bytes, there are %d".formatted(type, length, capacity));
    }
    slab.set(U32, offset + MessageHeader.TYPE, type.code() << 24);
    MessageHeader.patch(slab, offset, 0, 0);
    slab.set(U64, offset + MessageHeader.CONTROL_SEQ, controlSeq);
    slab.set(U32, offset + MessageHeader.BODY_LENGTH, length - MessageHeader.BYTES);
    slab.set(U32, offset + MessageHeader.BODY_LENGTH + 4, 0);
    return offset + MessageHeader.BYTES;
  }
}
