package io.maestro.verbs;

import java.lang.foreign.MemorySegment;

/** Registered memory. Any thread. */
public interface MemoryRegion extends AutoCloseable {

  /** The registered memory, owned by whoever registered it. */
  MemorySegment memory();

  /** The key (STag) that a peer names in a WRITE or a READ; not guessable. */
  int rkey();

  /** The address by which a peer names the first byte of this region. */
  long remoteAddress();

  /**
   * Ends the registration. Operations of peers that arrive afterwards are access violations; one
   * that another loop is placing at this very moment may finish. Idempotent.
   */
  @Override
  void close();
}
