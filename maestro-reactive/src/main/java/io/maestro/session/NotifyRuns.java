package io.maestro.session;

/**
 * The chunks that a path has written and not yet announced: runs of consecutive chunks of one
 * message, at most {@link #MAX}. Path's loop only.
 */
final class NotifyRuns {
  /** As many as one notify carries. */
  static final int MAX = MessageHeader.MAX_RUNS;

  /** The most that is announced at once: enough to be cheap. */
  static final int DUE_CHUNKS = 8;

  /** By so many announcements a full window is acknowledged at least, so that it keeps moving. */
  private static final int WINDOW_PARTS = 4;

  private final int[] slots = new int[MAX];
  private final int[] firsts = new int[MAX];
  private final int[] counts = new int[MAX];
  private int size;
  private int chunks;

  boolean hasRoomFor(int slot, int index) {
    return size < MAX || continues(slot, index);
  }

  void add(int slot, int index) {
    if (continues(slot, index)) {
      counts[size - 1]++;
    } else {
      slots[size] = slot;
      firsts[size] = index;
      counts[size] = 1;
      size++;
    }
    chunks++;
  }

  private boolean continues(int slot, int index) {
    return size > 0 && slots[size - 1] == slot && firsts[size - 1] + counts[size - 1] == index;
  }

  int size() {
    return size;
  }

  /**
   * Whether it is time to announce them, though more could be added.
   *
   * @param underWay chunks that are not acknowledged, these included
   */
  boolean isDue(int underWay) {
    return chunks >= Math.clamp(underWay / WINDOW_PARTS, 1, DUE_CHUNKS);
  }

  /** Chunks in all runs. */
  int chunks() {
    return chunks;
  }

  int slot(int run) {
    return slots[run];
  }

  int first(int run) {
    return firsts[run];
  }

  int count(int run) {
    return counts[run];
  }

  void clear() {
    size = 0;
    chunks = 0;
  }
}
