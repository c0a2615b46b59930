package io.maestro.bench.fabric;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bytes that tell their place: each 8 of them are their offset, scrambled. */
final class Pattern {
  private static final long SCRAMBLE = 0x9E3779B97F4A7C15L; // 2^64 / golden ratio

  private Pattern() {}

  static void fill(MemorySegment memory, long from) {
    for (long at = from; at + Long.BYTES <= memory.byteSize(); at += Long.BYTES) {
      memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, at * SCRAMBLE);
    }
  }

  static boolean isFilled(MemorySegment memory, long from) {
    long wrong = 0;
    for (long at = from; at + Long.BYTES <= memory.byteSize(); at += Long.BYTES) {
      wrong |= memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at) ^ (at * SCRAMBLE);
    }
    return wrong == 0;
  }
}
