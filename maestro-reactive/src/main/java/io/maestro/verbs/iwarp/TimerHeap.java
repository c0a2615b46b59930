package io.maestro.verbs.iwarp;

import io.maestro.verbs.EventLoop;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The pending timers of a loop: a binary heap in which each entry knows its place. */
final class TimerHeap {
  private @Nullable Entry[] heap = new Entry[16];
  private int size;

  /** Nanoseconds until the earliest timer, at least 0; {@link Long#MAX_VALUE} without one. */
  long delayNs(long nowNs) {
    Entry first = heap[0];
    return first == null ? Long.MAX_VALUE : Math.max(0, first.deadlineNs - nowNs);
  }

  /** Takes a timer that is due, or null. */
  @Nullable Entry pollDue(long nowNs) {
    Entry first = heap[0];
    if (first == null || first.deadlineNs - nowNs > 0) {
      return null;
    }
    remove(first);
    return first;
  }

  private void add(Entry entry) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    size++;
    siftUp(size - 1, entry);
  }

  private void remove(Entry entry) {
    int hole = entry.index;
    if (hole < 0) {
      return;
    }
    entry.index = -1;
    size--;
    Entry last = at(size);
    heap[size] = null;
    if (hole < size) {
      siftDown(hole, last);
      if (heap[hole] == last) {
        siftUp(hole, last);
      }
    }
  }

  private void siftUp(int from, Entry entry) {
    int i = from;
    while (i > 0 && at((i - 1) >> 1).isAfter(entry)) {
      put(i, at((i - 1) >> 1));
      i = (i - 1) >> 1;
    }
    put(i, entry);
  }

  private void siftDown(int from, Entry entry) {
    int i = from;
    while (2 * i + 1 < size) {
      int child = 2 * i + 1;
      if (child + 1 < size && at(child).isAfter(at(child + 1))) {
        child++;
      }
      if (!entry.isAfter(at(child))) {
        break;
      }
      put(i, at(child));
      i = child;
    }
    put(i, entry);
  }

  private Entry at(int index) {
    Entry entry = heap[index];
    if (entry == null) {
      throw new IllegalStateException("the heap has a hole at " + index);
    }
    return entry;
  }

  private void put(int index, Entry entry) {
    heap[index] = entry;
    entry.index = index;
  }

  /** One timer; as a task of its loop it enters or leaves the heap. */
  static final class Entry implements EventLoop.Timer, Runnable {
    private final IwarpLoop loop;
    private final long deadlineNs;
    private final Runnable task;
    private int index = -1;
    private volatile boolean cancelled;

    Entry(IwarpLoop loop, long deadlineNs, Runnable task) {
      this.loop = loop;
      this.deadlineNs = deadlineNs;
      this.task = task;
    }

    private boolean isAfter(Entry other) {
      return deadlineNs - other.deadlineNs > 0;
    }

    @Override
    public void run() {
      if (cancelled) {
        loop.timers().remove(this);
      } else {
        loop.timers().add(this);
      }
    }

    void fire() {
      if (!cancelled) {
        task.run();
      }
    }

    @Override
    public void cancel() {
      if (cancelled) {
        return;
      }
      cancelled = true;
      if (loop.inLoop()) {
        run();
        return;
      }
      try {
        loop.execute(this);
      } catch (RejectedExecutionException e) {
        // The loop has ended, and its timers with it.
        return;
      }
    }
  }
}
