package io.maestro.ps;

import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The values of a shard, one region for each version that somebody still reads. A published version
 * never changes, so that an answer can be sent from it without a copy while the next one is being
 * computed; a region whose last reader has gone is used again.
 */
final class VersionedMemory {

  private final long bytes;
  private final Region state;
  private final Deque<Region> spares = new ArrayDeque<>();
  private boolean closed;
  private Region current;

  VersionedMemory(long bytes, int stateFloatsPerElement) {
    this.bytes = bytes;
    state = Region.allocate(bytes * stateFloatsPerElement);
    current = Region.allocate(bytes);
  }

  /** The present version. Whoever keeps it retains it. */
  Region current() {
    return current;
  }

  MemorySegment state() {
    return state.segment();
  }

  /** Memory for a version to come: to be published or released. */
  Region next() {
    Region memory = takeSpare();
    return Region.wrap(memory.segment(), () -> giveBack(memory));
  }

  void publish(Region version) {
    current.release();
    current = version;
  }

  /** Gives everything back as soon as nobody reads it. No apply may be under way. */
  void close() {
    current.release();
    state.release();
    synchronized (spares) {
      closed = true;
      spares.forEach(Region::release);
      spares.clear();
    }
  }

  private Region takeSpare() {
    synchronized (spares) {
      Region spare = spares.poll();
      return spare != null ? spare : Region.allocate(bytes);
    }
  }

  /** Runs on the thread of whoever reads last. One spare is enough for two versions in turn. */
  private void giveBack(Region memory) {
    synchronized (spares) {
      if (closed || !spares.isEmpty()) {
        memory.release();
      } else {
        spares.add(memory);
      }
    }
  }
}
