package io.maestro.verbs.iwarp;

import io.maestro.verbs.VerbsException.Kind;
import io.maestro.verbs.WcOpcode;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The Terminate message, RFC 5040 section 4.8. */
final class TerminateMessage {
  private static final int HAS_LENGTH = 0x8000;
  private static final int HAS_DDP_HEADER = 0x4000;
  private static final int HAS_RDMAP_HEADER = 0x2000;
  private static final int CONTROL_BYTES = 4;

  /** Longest legal one: control, segment length, untagged header, READ request. */
  static final int MAX_BYTES =
      CONTROL_BYTES + 2 + Wire.UNTAGGED_HEADER_BYTES + Wire.READ_REQUEST_BYTES;

  private TerminateMessage() {}

  /** The FPDU that tells the peer about a fault in one of its segments, if one is to blame. */
  static ByteBuffer encode(Fault fault, @Nullable Segment guilty, boolean checksum) {
    ByteBuffer payload = ByteBuffer.allocate(MAX_BYTES + 2);
    payload.putShort((short) fault.control());
    if (guilty == null) {
      payload.putShort((short) 0);
    } else {
      boolean request = isWholeReadRequest(guilty);
      int flags = HAS_LENGTH | HAS_DDP_HEADER | (request ? HAS_RDMAP_HEADER : 0);
      payload.putShort((short) flags).putShort((short) guilty.ulpduBytes());
      guilty.copyTo(payload, guilty.headerBytes() + (request ? Wire.READ_REQUEST_BYTES : 0));
    }
    return frame(payload.flip(), checksum);
  }

  private static boolean isWholeReadRequest(Segment guilty) {
    return !guilty.isTagged()
        && guilty.opcode() == Wire.READ_REQUEST
        && guilty.queue() == Wire.READ_REQUEST_QUEUE
        && guilty.payloadBytes() == Wire.READ_REQUEST_BYTES;
  }

  private static ByteBuffer frame(ByteBuffer payload, boolean checksum) {
    int ulpduBytes = Wire.UNTAGGED_HEADER_BYTES + payload.remaining();
    ByteBuffer fpdu = ByteBuffer.allocate(Wire.MPA_LENGTH_BYTES + ulpduBytes + 3 + Wire.CRC_BYTES);
    fpdu.putShort((short) ulpduBytes);
    fpdu.put((byte) (Wire.LAST | Wire.DDP_VERSION));
    fpdu.put((byte) (Wire.RDMAP_VERSION | Wire.TERMINATE));
    fpdu.putInt(0).putInt(Wire.TERMINATE_QUEUE).putInt(1).putInt(0).put(payload);
    fpdu.position(fpdu.position() + Wire.padding(ulpduBytes));
    CRC32C crc = new CRC32C();
    crc.update(fpdu.duplicate().flip());
    fpdu.putInt(checksum ? Integer.reverseBytes((int) crc.getValue()) : 0);
    return fpdu.flip();
  }

  /**
   * What a peer's Terminate says.
   *
   * @param control layer, type and code
   * @param guilty the kind of this side's work that is to blame; null when unknown or completed
   * @param stag the key that it named
   * @param address the remote address that it named
   */
  record Notice(int control, @Nullable WcOpcode guilty, int stag, long address) {
    Kind kind() {
      return Fault.kindOf(control);
    }

    String text() {
      return Fault.describe(control);
    }
  }

  /** Reads a Terminate; null when it is malformed. */
  static @Nullable Notice decode(Segment message) {
    int bytes = message.payloadBytes();
    if (bytes < CONTROL_BYTES || bytes > MAX_BYTES) {
      return null;
    }
    int control = message.payloadShort(0);
    int flags = message.payloadShort(2);
    int header = CONTROL_BYTES + 2;
    boolean hasHeader = (flags & HAS_DDP_HEADER) != 0 && bytes >= header + 2;
    boolean tagged = hasHeader && (message.payloadByte(header) & Wire.TAGGED) != 0;
    if (tagged && bytes >= header + Wire.TAGGED_HEADER_BYTES) {
      WcOpcode guilty = isWrite(message.payloadByte(header + 1)) ? WcOpcode.WRITE : null;
      return new Notice(
          control, guilty, message.payloadInt(header + 2), message.payloadLong(header + 6));
    }
    int request = header + Wire.UNTAGGED_HEADER_BYTES;
    if (hasHeader
        && (flags & HAS_RDMAP_HEADER) != 0
        && bytes >= request + Wire.READ_REQUEST_BYTES) {
      return new Notice(
          control,
          WcOpcode.READ,
          message.payloadInt(request + 16),
          message.payloadLong(request + 20));
    }
    return new Notice(control, null, 0, 0);
  }

  private static boolean isWrite(byte rdmapControl) {
    return (rdmapControl & Wire.OPCODE_MASK) == Wire.WRITE;
  }
}
