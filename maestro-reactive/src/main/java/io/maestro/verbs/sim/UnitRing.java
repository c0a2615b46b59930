package io.maestro.verbs.sim;

import org.jspecify.annotations.Nullable;

/** The units from the oldest unacknowledged to the newest sent, by sequence number. */
final class UnitRing {
  private static final int FIRST_CAPACITY = 16;

  private Unit[] units = newUnits(FIRST_CAPACITY);
  private long oldest;
  private long next;

  private static Unit[] newUnits(int count) {
    Unit[] units = new Unit[count];
    for (int i = 0; i < count; i++) {
      units[i] = new Unit();
    }
    return units;
  }

  boolean isEmpty() {
    return oldest == next;
  }

  long oldest() {
    return oldest;
  }

  long next() {
    return next;
  }

  /** The unit, or null when it is acknowledged or was never sent. */
  @Nullable Unit find(long psn) {
    return psn >= oldest && psn < next ? at(psn) : null;
  }

  Unit at(long psn) {
    return units[(int) (psn & (units.length - 1))];
  }

  /** A blank unit for the next number, which {@link #push} makes part of the ring. */
  Unit blank() {
    if (next - oldest == units.length) {
      grow();
    }
    Unit unit = at(next);
    unit.reset(next);
    return unit;
  }

  void push() {
    next++;
  }

  void dropOldest() {
    oldest++;
  }

  private void grow() {
    Unit[] more = newUnits(2 * units.length);
    for (long psn = oldest; psn < next; psn++) {
      more[(int) (psn & (more.length - 1))] = at(psn);
    }
    units = more;
  }
}
