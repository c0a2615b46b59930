package io.maestro.session;

/**
 * Work request ids. A path is first in, first out, so a completion needs no more than its kind to
 * be matched; only a receive names its slot.
 */
final class WorkIds {
  static final long SEND = 1;
  static final long WRITE = 2;
  static final long READ = 3;

  private WorkIds() {}

  static long recv(int slot) {
    return slot;
  }

  static int slot(long recvId) {
    return (int) recvId;
  }
}
