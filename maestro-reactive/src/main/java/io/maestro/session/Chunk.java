package io.maestro.session;

import org.jspecify.annotations.Nullable;

/**
 * The descriptor of one work request: a piece of a {@link Transfer} on its way. Descriptors are
 * reused; who holds one owns it: the fan-out, then a path (through its ring), then the fan-out
 * again (through the path's return ring).
 */
final class Chunk {
  private @Nullable Transfer transfer;
  private int index;
  private int length;
  private long sentNs;

  Chunk of(Transfer newTransfer, int newIndex) {
    transfer = newTransfer;
    index = newIndex;
    length = newTransfer.chunking().length(newIndex);
    return this;
  }

  Transfer transfer() {
    Transfer current = transfer;
    if (current == null) {
      throw new IllegalStateException("the chunk descriptor is free");
    }
    return current;
  }

  int index() {
    return index;
  }

  int length() {
    return length;
  }

  /** Offset of this chunk within its transfer, in bytes. */
  long offset() {
    return transfer().chunking().offset(index);
  }

  long sentNs() {
    return sentNs;
  }

  void sentAt(long nowNs) {
    sentNs = nowNs;
  }

  void clear() {
    transfer = null;
  }
}
