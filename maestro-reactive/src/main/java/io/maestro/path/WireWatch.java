package io.maestro.path;

import io.maestro.path.StallRule.Wire;
import io.maestro.verbs.Signals;

/**
 * Finds out from successive signals whether the peer's network stack still acknowledges what is
 * sent to it. Not thread-safe; times are nanoseconds of one clock.
 */
public final class WireWatch {
  private boolean waiting;
  private long sinceNs;

  /** Forgets what was seen: the path has made progress. */
  public void reset() {
    waiting = false;
  }

  /**
   * Takes over a look at the signals.
   *
   * @param limitNs how long packets may be unacknowledged, in nanoseconds
   * @return {@link Wire#STUCK} when in every look of at least that time there were some, and none
   *     was acknowledged
   */
  public Wire look(Signals signals, long nowNs, long limitNs) {
    if (signals.unackedPackets() == Signals.ABSENT || signals.ackAgeNs() == Signals.ABSENT) {
      waiting = false;
      return Wire.UNKNOWN;
    }
    if (signals.unackedPackets() == 0) {
      waiting = false;
      return Wire.ALIVE;
    }
    long lastAckNs = nowNs - signals.ackAgeNs();
    if (!waiting) {
      sinceNs = nowNs; // what was before may have been idleness
    } else if (lastAckNs > sinceNs) {
      sinceNs = lastAckNs;
    }
    waiting = true;
    return nowNs - sinceNs >= limitNs ? Wire.STUCK : Wire.ALIVE;
  }
}
