package io.maestro.verbs.iwarp;

import java.nio.ByteBuffer;

/** The header of one DDP segment, read from a buffer; used again for each. */
final class Segment {
  private final ByteBuffer buffer;
  private int start;
  private int ulpduBytes;
  private int ddpControl;
  private int rdmapControl;
  private int stag;
  private long address;
  private int queue;
  private int msn;
  private int offset;

  Segment(ByteBuffer buffer) {
    this.buffer = buffer;
  }

  /** The length of the header of which this is the first byte. */
  static int headerBytes(byte ddpControl) {
    return (ddpControl & Wire.TAGGED) != 0 ? Wire.TAGGED_HEADER_BYTES : Wire.UNTAGGED_HEADER_BYTES;
  }

  /** Reads the header that begins here, which must be complete. */
  void read(int position, int bytes) {
    start = position;
    ulpduBytes = bytes;
    ddpControl = buffer.get(position);
    rdmapControl = buffer.get(position + 1);
    if (isTagged()) {
      stag = buffer.getInt(position + 2);
      address = buffer.getLong(position + 6);
    } else {
      queue = buffer.getInt(position + 6);
      msn = buffer.getInt(position + 10);
      offset = buffer.getInt(position + 14);
    }
  }

  boolean isTagged() {
    return (ddpControl & Wire.TAGGED) != 0;
  }

  boolean isLast() {
    return (ddpControl & Wire.LAST) != 0;
  }

  boolean hasDdpVersion() {
    return (ddpControl & Wire.DDP_VERSION_MASK) == Wire.DDP_VERSION;
  }

  boolean hasRdmapVersion() {
    return (rdmapControl & Wire.RDMAP_VERSION_MASK) == Wire.RDMAP_VERSION;
  }

  int opcode() {
    return rdmapControl & Wire.OPCODE_MASK;
  }

  int headerBytes() {
    return isTagged() ? Wire.TAGGED_HEADER_BYTES : Wire.UNTAGGED_HEADER_BYTES;
  }

  int ulpduBytes() {
    return ulpduBytes;
  }

  int payloadBytes() {
    return ulpduBytes - headerBytes();
  }

  int stag() {
    return stag;
  }

  long address() {
    return address;
  }

  int queue() {
    return queue;
  }

  int msn() {
    return msn;
  }

  int offset() {
    return offset;
  }

  /** Whether this is a request or notice whose payload is read as a whole. */
  boolean isControl() {
    return !isTagged() && queue != Wire.SEND_QUEUE;
  }

  /** A byte of the payload; like its neighbours, only while the buffer still holds it. */
  byte payloadByte(int index) {
    return buffer.get(start + headerBytes() + index);
  }

  int payloadShort(int index) {
    return buffer.getShort(start + headerBytes() + index) & 0xFFFF;
  }

  int payloadInt(int index) {
    return buffer.getInt(start + headerBytes() + index);
  }

  long payloadLong(int index) {
    return buffer.getLong(start + headerBytes() + index);
  }

  /** Copies the first bytes of the segment. */
  void copyTo(ByteBuffer to, int bytes) {
    to.put(to.position(), buffer, start, bytes).position(to.position() + bytes);
  }
}
