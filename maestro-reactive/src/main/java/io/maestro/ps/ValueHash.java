package io.maestro.ps;

import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Tells different initial values apart. */
final class ValueHash {

  private static final long STEP_BYTES = 1L << 30;
  private static final long FNV_PRIME = 0x100000001b3L;

  private ValueHash() {}

  /** The checksums of the regions' pieces, combined in order. */
  static long of(@Nullable List<Region> regions) {
    long hash = 0;
    for (Region region : regions == null ? List.<Region>of() : regions) {
      MemorySegment memory = region.segment();
      for (long offset = 0; offset < memory.byteSize(); offset += STEP_BYTES) {
        CRC32C crc = new CRC32C();
        long length = Math.min(STEP_BYTES, memory.byteSize() - offset);
        crc.update(memory.asSlice(offset, length).asByteBuffer());
        hash = (hash ^ crc.getValue()) * FNV_PRIME;
      }
    }
    return hash;
  }
}
