package io.maestro.path;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** SipHash-2-4 (Aumasson and Bernstein, 2012) with a 64-bit result. */
final class SipHash {
  private long v0;
  private long v1;
  private long v2;
  private long v3;

  private SipHash(long key0, long key1) {
    v0 = key0 ^ 0x736f6d6570736575L;
    v1 = key1 ^ 0x646f72616e646f6dL;
    v2 = key0 ^ 0x6c7967656e657261L;
    v3 = key1 ^ 0x7465646279746573L;
  }

  static long hash(byte[] message, long key0, long key1) {
    SipHash state = new SipHash(key0, key1);
    ByteBuffer words = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    while (words.remaining() >= Long.BYTES) {
      state.take(words.getLong());
    }
    long last = (long) message.length << 56;
    for (int shift = 0; words.hasRemaining(); shift += 8) {
      last |= (words.get() & 0xFFL) << shift;
    }
    state.take(last);
    state.v2 ^= 0xFF;
    state.rounds(4);
    return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
  }

  private void take(long word) {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  }

  private void rounds(int count) {
    for (int i = 0; i < count; i++) {
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
    }
  }
}
