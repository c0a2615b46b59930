package io.maestro.path;

import java.nio.ByteBuffer;

/** Cyclic redundancy checks with an initial value of one's own, which the JDK's do not have. */
final class Crc {
  private static final int CRC32_REFLECTED = 0xEDB88320;
  private static final int CRC16_CCITT = 0x1021;

  private Crc() {}

  /** CRC-32 of IEEE 802.3; with seed 0 the one of {@link java.util.zip.CRC32}. */
  static long crc32(ByteBuffer bytes, int seed) {
    int register = ~seed;
    while (bytes.hasRemaining()) {
      register ^= bytes.get() & 0xFF;
      for (int bit = 0; bit < 8; bit++) {
        register = (register >>> 1) ^ ((register & 1) == 0 ? 0 : CRC32_REFLECTED);
      }
    }
    return Integer.toUnsignedLong(~register);
  }

  static int crc16Ccitt(ByteBuffer bytes, int seed) {
    int register = 0xFFFF ^ (seed & 0xFFFF);
    while (bytes.hasRemaining()) {
      register ^= (bytes.get() & 0xFF) << 8;
      for (int bit = 0; bit < 8; bit++) {
        register = (register << 1) ^ ((register & 0x8000) == 0 ? 0 : CRC16_CCITT);
      }
      register &= 0xFFFF;
    }
    return register;
  }
}
