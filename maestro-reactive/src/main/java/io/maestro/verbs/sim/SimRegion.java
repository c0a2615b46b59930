package io.maestro.verbs.sim;

import io.maestro.verbs.Access;
import io.maestro.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Registered memory. */
final class SimRegion implements MemoryRegion {
  private final SimDomain domain;
  private final MemorySegment memory;
  private final boolean writable;
  private final boolean readable;
  private final int rkey;
  private final long remoteAddress;
  private volatile boolean closed;

  SimRegion(
      SimDomain domain, MemorySegment memory, Set<Access> access, int rkey, long remoteAddress) {
    this.domain = domain;
    this.memory = memory;
    writable = access.contains(Access.REMOTE_WRITE);
    readable = access.contains(Access.REMOTE_READ);
    this.rkey = rkey;
    this.remoteAddress = remoteAddress;
  }

  boolean isClosed() {
    return closed;
  }

  SimDomain domain() {
    return domain;
  }

  /** Whether a peer of a queue pair of that domain may do this to that range now. */
  boolean allows(SimDomain ofQueuePair, Access access, long address, int length) {
    boolean right = access == Access.REMOTE_WRITE ? writable : readable;
    long offset = address - remoteAddress;
    return !closed
        && right
        && domain.equals(ofQueuePair)
        && offset >= 0
        && offset <= memory.byteSize() - length;
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public int rkey() {
    return rkey;
  }

  @Override
  public long remoteAddress() {
    return remoteAddress;
  }

  @Override
  public void close() {
    closed = true;
    domain.forget(this);
  }
}
