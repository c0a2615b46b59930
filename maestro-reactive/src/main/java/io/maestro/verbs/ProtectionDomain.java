package io.maestro.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/** A set of regions and queue pairs that may work with one another. Any thread. */
public interface ProtectionDomain extends AutoCloseable {

  /**
   * Registers native memory. The caller keeps owning the memory and must keep it alive until the
   * region is closed and the queue pairs that were posted work on it have completed that work.
   *
   * @param memory a native segment of 1 byte to many GiB, accessible from any thread
   * @param access what peers may do; local work is always allowed
   * @throws IllegalArgumentException when the segment is on the heap, empty, read-only, or confined
   *     to one thread
   */
  MemoryRegion register(MemorySegment memory, Set<Access> access);

  /** Closes the domain and its regions. Queue pairs must have been closed before. Idempotent. */
  @Override
  void close();
}
