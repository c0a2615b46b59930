package io.maestro.session;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/** Random bytes of which each message has others, cheap to write and to compare. */
final class Bytes {
  private static final long SIZE = 8L << 20;
  private static final long STARTS = 1L << 20;
  private static final byte USED = 0x5A;

  private static final MemorySegment RANDOM = Arena.global().allocate(SIZE);
  private static final MemorySegment SCRIBBLED = Arena.global().allocate(SIZE).fill(USED);

  static {
    SplittableRandom random = new SplittableRandom(1);
    for (long at = 0; at < SIZE; at += Long.BYTES) {
      RANDOM.set(ValueLayout.JAVA_LONG, at, random.nextLong());
    }
  }

  private Bytes() {}

  /** The bytes of a number, at most 7 MiB. */
  static MemorySegment of(long number, long bytes) {
    long start = Math.floorMod((number * 0x9E3779B97F4A7C15L) >>> 11, STARTS);
    return RANDOM.asSlice(start, bytes);
  }

  static boolean matches(MemorySegment memory, long number) {
    return memory.mismatch(of(number, memory.byteSize())) < 0;
  }

  /** Makes memory that belongs to the user now unlike all that was sent. */
  static void scribble(MemorySegment memory) {
    memory.fill(USED);
  }

  /** Whether nobody has written since. */
  static boolean isScribbled(MemorySegment memory) {
    return memory.mismatch(SCRIBBLED.asSlice(0, memory.byteSize())) < 0;
  }
}
