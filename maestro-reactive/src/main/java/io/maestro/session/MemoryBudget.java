package io.maestro.session;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** How many bytes the received messages of all connections may hold. Any thread, lock-free. */
final class MemoryBudget {
  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();
  private final List<Runnable> onRoom = new CopyOnWriteArrayList<>();

  MemoryBudget(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** The most bytes that {@link #tryReserve} gives out. */
  long limitBytes() {
    return limitBytes;
  }

  /** Takes that many bytes when there is room for all of them; there is always room for none. */
  boolean tryReserve(long bytes) {
    long used;
    do {
      used = usedBytes.get();
      if (bytes > Math.max(0, limitBytes - used)) {
        return false;
      }
    } while (!usedBytes.compareAndSet(used, used + bytes));
    return true;
  }

  /** Takes that many bytes, beyond the limit if need be; for what something else bounds. */
  void reserveAnyway(long bytes) {
    usedBytes.addAndGet(bytes);
  }

  /** Gives bytes back and calls those who wait for room. */
  void release(long bytes) {
    usedBytes.addAndGet(-bytes);
    onRoom.forEach(Runnable::run);
  }

  /** Bytes that are taken. */
  long usedBytes() {
    return usedBytes.get();
  }

  /**
   * Has an action called after each release, on the thread that releases: it must be quick and must
   * not throw.
   *
   * @return ends that
   */
  Runnable onRoom(Runnable action) {
    onRoom.add(action);
    return () -> onRoom.remove(action);
  }

  @Override
  public String toString() {
    return "MemoryBudget[%d of %d bytes used]".formatted(usedBytes.get(), limitBytes);
  }
}
