package io.maestro.session;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Finds things by a number that a peer sends. The number of a slot is its index and its generation,
 * 16 bits each, so that one which has been removed is not found under its successor's place. It is
 * never 0.
 *
 * <p>Any thread; {@link #get} is lock-free.
 */
final class SlotTable<T> {
  private static final int INDEX_BITS = 16;
  private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

  private record Entry<T>(int slotId, T value) {}

  private final AtomicReferenceArray<@Nullable Entry<T>> entries;
  private final char[] generations;
  // A ring: the slot that has been free for the longest is taken, so that generations last.
  private final int[] free;
  private int nextFree;
  private int used;

  /** For at most {@code capacity} things, 1 to 65536. */
  SlotTable(int capacity) {
    if (capacity < 1 || capacity > INDEX_MASK + 1) {
      throw new IllegalArgumentException("capacity must be 1 to 65536, was " + capacity);
    }
    entries = new AtomicReferenceArray<>(capacity);
    generations = new char[capacity];
    free = new int[capacity];
    for (int index = 0; index < capacity; index++) {
      free[index] = index;
    }
  }

  /**
   * Puts a value into a free slot; returns the number of that slot.
   *
   * @throws IllegalStateException when there is none
   */
  synchronized int put(T value) {
    if (used == free.length) {
      throw new IllegalStateException("all %d slots are in use".formatted(used));
    }
    int index = free[nextFree];
    nextFree = (nextFree + 1) % free.length;
    used++;
    int slotId = nextGeneration(index) << INDEX_BITS | index;
    entries.set(index, new Entry<>(slotId, value));
    return slotId;
  }

  private int nextGeneration(int index) {
    if (++generations[index] == 0) {
      generations[index] = 1;
    }
    return generations[index];
  }

  /** What is in a slot; null when that is no slot or nothing is in it any more. Any number. */
  @Nullable T get(int slotId) {
    int index = slotId & INDEX_MASK;
    Entry<T> entry = index < entries.length() ? entries.get(index) : null;
    return entry != null && entry.slotId == slotId ? entry.value : null;
  }

  /** Empties a slot and returns what was in it, as {@link #get} does. */
  synchronized @Nullable T remove(int slotId) {
    T value = get(slotId);
    if (value != null) {
      int index = slotId & INDEX_MASK;
      entries.set(index, null);
      free[(nextFree + free.length - used) % free.length] = index;
      used--;
    }
    return value;
  }

  /** How many slots are in use. */
  synchronized int used() {
    return used;
  }
}
