package io.maestro.testing.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Changes inputs at random: flips bits, and takes bytes out, in, from elsewhere, or twice. */
final class Mutation {
  private static final int[] INTERESTING = {0, 1, 0x7F, 0x80, 0xFF};

  private final List<byte[]> corpus;
  private final SplittableRandom random;

  Mutation(List<byte[]> corpus, long seed) {
    this.corpus = corpus;
    this.random = new SplittableRandom(seed);
  }

  byte[] next() {
    byte[] bytes = any().clone();
    for (int count = random.nextInt(1, 6); count > 0; count--) {
      bytes = change(bytes);
    }
    return bytes;
  }

  private byte[] any() {
    return corpus.get(random.nextInt(corpus.size()));
  }

  private byte[] change(byte[] bytes) {
    int at = random.nextInt(bytes.length + 1);
    int length = random.nextInt(Math.min(9, bytes.length - at + 1));
    return switch (random.nextInt(6)) {
      case 0 -> replace(bytes, at, length, new byte[0]);
      case 1 -> replace(bytes, at, 0, Arrays.copyOfRange(bytes, at, at + length));
      case 2 -> replace(bytes, at, length, tail(any()));
      default -> at < bytes.length ? replace(bytes, at, 1, new byte[] {other(bytes[at])}) : bytes;
    };
  }

  private byte[] tail(byte[] bytes) {
    return Arrays.copyOfRange(bytes, random.nextInt(bytes.length + 1), bytes.length);
  }

  private byte other(byte value) {
    int changed =
        random.nextBoolean()
            ? value ^ (1 << random.nextInt(8))
            : INTERESTING[random.nextInt(INTERESTING.length)];
    return (byte) changed;
  }

  private static byte[] replace(byte[] bytes, int at, int length, byte[] by) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, at);
    out.writeBytes(by);
    out.write(bytes, at + length, bytes.length - at - length);
    return out.toByteArray();
  }
}
