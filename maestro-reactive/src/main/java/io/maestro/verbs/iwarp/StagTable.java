package io.maestro.verbs.iwarp;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Steering tags: random 32-bit keys of the open regions of a device.
 *
 * <p>An open-addressing hash table: looked up by the loops without a lock or allocation, changed
 * under a lock. A removed entry leaves a mark, and the table is rebuilt in proportion to what is
 * alive when marks and entries fill half of it, so its memory is bounded by the open regions. A
 * reader of an older table may still find a closed region: it must ask {@link
 * IwarpRegion#isOpen()}.
 */
final class StagTable {
  private static final int SMALLEST = 64;
  private static final Object REMOVED = new Object();

  private final SecureRandom random = new SecureRandom();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile AtomicReferenceArray<Object> table = new AtomicReferenceArray<>(SMALLEST);
  private int alive;
  private int used;

  /** The open region of this key; any thread. */
  @Nullable IwarpRegion find(int stag) {
    AtomicReferenceArray<Object> current = table;
    int mask = current.length() - 1;
    for (int i = slot(stag, mask); ; i = (i + 1) & mask) {
      Object entry = current.get(i);
      if (entry == null) {
        return null;
      }
      if (entry instanceof IwarpRegion region && region.rkey() == stag) {
        return region.isOpen() ? region : null;
      }
    }
  }

  /** Makes a region for a new key. */
  IwarpRegion add(IntFunction<IwarpRegion> withStag) {
    lock.lock();
    try {
      int stag = random.nextInt();
      while (stag == 0 || isTaken(stag)) {
        stag = random.nextInt();
      }
      IwarpRegion region = withStag.apply(stag);
      if (2 * (used + 1) > table.length()) {
        rebuild();
      }
      insert(table, region);
      alive++;
      used++;
      return region;
    } finally {
      lock.unlock();
    }
  }

  void remove(IwarpRegion region) {
    lock.lock();
    try {
      AtomicReferenceArray<Object> current = table;
      int mask = current.length() - 1;
      for (int i = slot(region.rkey(), mask); current.get(i) != null; i = (i + 1) & mask) {
        if (current.get(i) == region) {
          current.set(i, REMOVED);
          alive--;
          return;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** A random multiple of 4,096 that leaves room for any region above it. */
  long randomAddress() {
    return random.nextLong(1L << 12, 1L << 62) & -4096L;
  }

  int capacity() {
    return table.length();
  }

  private boolean isTaken(int stag) {
    return find(stag) != null;
  }

  private void rebuild() {
    AtomicReferenceArray<Object> old = table;
    int size = SMALLEST;
    while (size < 4 * (alive + 1)) {
      size *= 2;
    }
    AtomicReferenceArray<Object> fresh = new AtomicReferenceArray<>(size);
    for (int i = 0; i < old.length(); i++) {
      if (old.get(i) instanceof IwarpRegion region) {
        insert(fresh, region);
      }
    }
    used = alive;
    table = fresh;
  }

  private static void insert(AtomicReferenceArray<Object> into, IwarpRegion region) {
    int mask = into.length() - 1;
    int i = slot(region.rkey(), mask);
    while (into.get(i) != null) {
      i = (i + 1) & mask;
    }
    into.set(i, region);
  }

  /** Keys are random: their low bits are as good as a hash. */
  private static int slot(int stag, int mask) {
    return stag & mask;
  }
}
