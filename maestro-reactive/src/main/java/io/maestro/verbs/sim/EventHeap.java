package io.maestro.verbs.sim;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The future, soonest first: a binary heap that allocates nothing but its array. */
final class EventHeap {
  private static final int FIRST_CAPACITY = 256;

  private @Nullable SimEvent[] events = new @Nullable SimEvent[FIRST_CAPACITY];
  private int size;
  private long added;

  boolean isEmpty() {
    return size == 0;
  }

  /** The time of the next event; only when there is one. */
  long nextNs() {
    return at(0).atNs;
  }

  void add(SimEvent event, long atNs) {
    if (event.isQueued()) {
      throw new IllegalStateException("an event is added twice");
    }
    if (size == events.length) {
      events = Arrays.copyOf(events, 2 * size);
    }
    event.atNs = atNs;
    event.order = added++;
    siftUp(size++, event);
  }

  SimEvent poll() {
    SimEvent first = at(0);
    remove(first);
    return first;
  }

  /** Takes an event out before it fires; does nothing when it is not queued. */
  void remove(SimEvent event) {
    if (!event.isQueued()) {
      return;
    }
    int hole = event.slot;
    SimEvent last = at(--size);
    events[size] = null;
    event.dequeued();
    if (hole == size) {
      return;
    }
    if (hole > 0 && last.isBefore(at(parent(hole)))) {
      siftUp(hole, last);
    } else {
      siftDown(hole, last);
    }
  }

  private void siftUp(int from, SimEvent event) {
    int slot = from;
    while (slot > 0 && event.isBefore(at(parent(slot)))) {
      put(slot, at(parent(slot)));
      slot = parent(slot);
    }
    put(slot, event);
  }

  private void siftDown(int from, SimEvent event) {
    int slot = from;
    while (true) {
      int child = 2 * slot + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && at(child + 1).isBefore(at(child))) {
        child++;
      }
      if (event.isBefore(at(child))) {
        break;
      }
      put(slot, at(child));
      slot = child;
    }
    put(slot, event);
  }

  private void put(int slot, SimEvent event) {
    events[slot] = event;
    event.slot = slot;
  }

  private SimEvent at(int slot) {
    SimEvent event = events[slot];
    if (event == null) {
      throw new IllegalStateException("no event at " + slot);
    }
    return event;
  }

  private static int parent(int slot) {
    return (slot - 1) >> 1;
  }
}
