package io.maestro.verbs.sim;

/** Virtual time: what is to happen, and a hash over everything that has. */
final class Timeline {
  private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

  private final EventHeap heap = new EventHeap();
  private volatile long nowNs;
  private long hash;

  /** Nanoseconds of virtual time since the fabric was built; any thread. */
  long nowNs() {
    return nowNs;
  }

  void at(long atNs, SimEvent event) {
    heap.add(event, Math.max(atNs, nowNs));
  }

  void cancel(SimEvent event) {
    heap.remove(event);
  }

  boolean isEmpty() {
    return heap.isEmpty();
  }

  /** Whether something is to happen at the present time. */
  boolean isDue() {
    return !heap.isEmpty() && heap.nextNs() <= nowNs;
  }

  void fireNext() {
    heap.poll().fire();
  }

  /** Moves to the next event or to the limit, whichever is first. */
  void advance(long limitNs) {
    nowNs = heap.isEmpty() ? limitNs : Math.min(limitNs, heap.nextNs());
  }

  /** Adds something that happened now to the hash. */
  void trace(long what, long where, long howMuch) {
    mix(nowNs);
    mix(what);
    mix(where);
    mix(howMuch);
  }

  private void mix(long value) {
    hash = Long.rotateLeft((hash ^ value) * HASH_FACTOR, 29);
  }

  long hash() {
    return hash;
  }
}
