package io.maestro.session;

import java.util.ArrayDeque;

/**
 * Free chunk descriptors of a session. Grows to the number of chunks that the windows let be in
 * flight at once and allocates nothing afterwards. Session's loop only.
 */
final class ChunkPool {
  private final ArrayDeque<Chunk> free = new ArrayDeque<>();
  private int taken;

  Chunk take() {
    taken++;
    Chunk chunk = free.pollLast();
    return chunk == null ? new Chunk() : chunk;
  }

  void give(Chunk chunk) {
    taken--;
    chunk.clear();
    free.addLast(chunk);
  }

  /** Descriptors in use. */
  int taken() {
    return taken;
  }
}
