package io.maestro.verbs.sim;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work that travels as one packet, kept by its sender until it is acknowledged. Both
 * ends share it: the receiver notes here what has arrived, and copies from here when it is its
 * turn.
 */
final class Unit {

  /** What it is. */
  enum Kind {
    CONNECT,
    ACCEPT,
    WRITE,
    SEND,
    READ_REQUEST,
    READ_RESPONSE
  }

  private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0).asReadOnlyBuffer();

  long psn;
  Kind kind = Kind.CONNECT;
  long wrSeq;
  MemorySegment memory = MemorySegment.NULL;
  long offset;
  int length;
  int messageLength;
  int messageOffset;
  long remoteAddress;
  int rkey;
  @Nullable SimRegion source;
  ByteBuffer privateData = NO_DATA;

  long sentNs;
  long deliveredBytesWhenSent;
  long deliveredNsWhenSent;
  boolean arrived;
  boolean acknowledged;
  boolean lost;

  boolean isFirst() {
    return messageOffset == 0;
  }

  boolean isLast() {
    return messageOffset + length == messageLength;
  }

  /** Makes it a part of a work request, at the request's progress. */
  void takeFrom(WorkRequest wr, Kind ofKind, int from, int bytes) {
    kind = ofKind;
    wrSeq = wr.seq;
    memory = wr.memory;
    offset = wr.offset + from;
    length = bytes;
    messageLength = wr.length;
    messageOffset = from;
    remoteAddress = wr.remoteAddress;
    rkey = wr.rkey;
  }

  void reset(long newPsn) {
    psn = newPsn;
    memory = MemorySegment.NULL;
    source = null;
    privateData = NO_DATA;
    offset = 0;
    length = 0;
    messageLength = 0;
    messageOffset = 0;
    arrived = false;
    acknowledged = false;
    lost = false;
  }
}
