package io.maestro.verbs.sim;

/** Something that happens at a point of virtual time; reusable once it has fired. */
abstract class SimEvent {
  private static final int NOT_QUEUED = -1;

  /** When, in nanoseconds of virtual time; written by the heap. */
  long atNs;

  /** Breaks ties: events of the same time fire in the order they were added. */
  long order;

  /** Where the heap keeps it. */
  int slot = NOT_QUEUED;

  abstract void fire();

  final boolean isQueued() {
    return slot != NOT_QUEUED;
  }

  final void dequeued() {
    slot = NOT_QUEUED;
  }

  final boolean isBefore(SimEvent other) {
    return atNs != other.atNs ? atNs < other.atNs : order < other.order;
  }
}
