package io.maestro.verbs.iwarp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Bytes of the protocols, written down from the figures of the RFCs and not with the product. */
final class WireBytes {
  static final int WRITE = 0x40;
  static final int READ_REQUEST = 0x41;
  static final int READ_RESPONSE = 0x42;
  static final int SEND = 0x43;
  static final int TERMINATE = 0x47;

  private WireBytes() {}

  /** RFC 5044 figure 8: key, flags, revision, length, private data. */
  static byte[] mpa(String key, int flags, int revision, byte... privateData) {
    ByteBuffer frame = ByteBuffer.allocate(20 + privateData.length);
    frame.put(key.getBytes(StandardCharsets.US_ASCII)).put((byte) flags).put((byte) revision);
    return frame.putShort((short) privateData.length).put(privateData).array();
  }

  static byte[] request(int flags, int revision, byte... privateData) {
    return mpa("MPA ID Req Frame", flags, revision, privateData);
  }

  static byte[] reply(int flags, int revision, byte... privateData) {
    return mpa("MPA ID Rep Frame", flags, revision, privateData);
  }

  /** RFC 5041 figure 3: control, RDMAP control, STag, tagged offset. */
  static byte[] tagged(int ddp, int rdmap, int stag, long address, byte... payload) {
    ByteBuffer ulpdu = ByteBuffer.allocate(14 + payload.length);
    ulpdu.put((byte) ddp).put((byte) rdmap).putInt(stag).putLong(address).put(payload);
    return ulpdu.array();
  }

  /** RFC 5041 figure 4: control, RDMAP control, reserved, queue, MSN, offset. */
  static ByteBuffer untaggedHeader(int ddp, int rdmap, int queue, int payloadBytes) {
    ByteBuffer ulpdu = ByteBuffer.allocate(18 + payloadBytes);
    return ulpdu.put((byte) ddp).put((byte) rdmap).putInt(0).putInt(queue);
  }

  static byte[] untagged(int rdmap, int queue, int msn, int offset, byte... payload) {
    return untaggedHeader(0x41, rdmap, queue, payload.length)
        .putInt(msn)
        .putInt(offset)
        .put(payload)
        .array();
  }

  static byte[] write(int stag, long address, byte... payload) {
    return tagged(0xC1, WRITE, stag, address, payload);
  }

  static byte[] send(int msn, byte... payload) {
    return untagged(SEND, 0, msn, 0, payload);
  }

  /** RFC 5040 figure 6: sink STag and offset, length, source STag and offset. */
  static byte[] readRequest(int msn, int bytes, int sourceStag, long source) {
    byte[] payload = new byte[28];
    ByteBuffer.wrap(payload)
        .putInt(0x0BADCAFE)
        .putLong(0x1122334455667788L)
        .putInt(bytes)
        .putInt(sourceStag)
        .putLong(source);
    return untagged(READ_REQUEST, 1, msn, 0, payload);
  }

  /** RFC 5044 figure 3: length, ULPDU, padding, CRC; without checksum the CRC is 0. */
  static byte[] fpdu(boolean checksum, byte[] ulpdu) {
    int padded = (2 + ulpdu.length + 3) / 4 * 4;
    ByteBuffer fpdu = ByteBuffer.allocate(padded + 4);
    fpdu.putShort((short) ulpdu.length).put(ulpdu);
    if (checksum) {
      CRC32C crc = new CRC32C();
      crc.update(fpdu.array(), 0, padded);
      fpdu.putInt(padded, Integer.reverseBytes((int) crc.getValue()));
    }
    return fpdu.array();
  }

  static byte[] concat(byte[]... parts) {
    int total = 0;
    for (byte[] part : parts) {
      total += part.length;
    }
    ByteBuffer all = ByteBuffer.allocate(total);
    for (byte[] part : parts) {
      all.put(part);
    }
    return all.array();
  }
}
