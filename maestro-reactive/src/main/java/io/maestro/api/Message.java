package io.maestro.api;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A received message. Whoever gets it owns it and must {@link #close()} it, once; until then its
 * memory counts against the receiver's budget. Any thread.
 *
 * <p>Messages of a connection complete independently of one another, so that a small one never
 * waits behind a large one; {@link #sequence()} tells the order in which they were sent.
 */
public interface Message extends AutoCloseable {

  /** The number of the message among those sent on this connection, from 1. */
  long sequence();

  /** The header that the sender gave, read-only, possibly empty. */
  ByteBuffer header();

  /** The bytes, in place, valid until {@link #close()}. */
  MemorySegment data();

  /** The size of the data in bytes. */
  default long size() {
    return data().byteSize();
  }

  /** Gives the memory back. Idempotent. */
  @Override
  void close();
}
