package io.maestro.session;

import io.maestro.session.RegionPool.Block;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Blocks that nobody has leased, by size. Not thread-safe. */
final class IdleBlocks {
  private record Idle(Block block, long since) {}

  private final Map<Long, ArrayDeque<Idle>> bySize = new HashMap<>();
  private long bytes;
  private long clock;

  /** Takes the block of that size that was put last: its pages are the likeliest to be cached. */
  @Nullable Block take(long blockBytes) {
    ArrayDeque<Idle> idle = bySize.get(blockBytes);
    return idle == null ? null : removed(blockBytes, idle.pollLast());
  }

  boolean has(long blockBytes) {
    return bySize.containsKey(blockBytes);
  }

  void put(Block block) {
    long size = block.memory().byteSize();
    bySize.computeIfAbsent(size, any -> new ArrayDeque<>()).addLast(new Idle(block, clock++));
    bytes += size;
  }

  /** Takes the block that has been idle for the longest. */
  @Nullable Block takeOldest() {
    long oldestSize = 0;
    long oldestSince = Long.MAX_VALUE;
    for (Map.Entry<Long, ArrayDeque<Idle>> entry : bySize.entrySet()) {
      long since = entry.getValue().getFirst().since;
      if (since < oldestSince) {
        oldestSince = since;
        oldestSize = entry.getKey();
      }
    }
    ArrayDeque<Idle> idle = bySize.get(oldestSize);
    return idle == null ? null : removed(oldestSize, idle.pollFirst());
  }

  private @Nullable Block removed(long size, @Nullable Idle idle) {
    if (idle == null) {
      return null;
    }
    bytes -= size;
    bySize.computeIfPresent(size, (any, left) -> left.isEmpty() ? null : left);
    return idle.block;
  }

  /** Bytes of all blocks. */
  long bytes() {
    return bytes;
  }
}
