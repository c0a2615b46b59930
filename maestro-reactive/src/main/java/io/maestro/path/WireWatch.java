package io.maestro.path;

import io.maestro.path.StallRule.Wire;
import io.maestro.verbs.Signals;

/**
 * Finds out from successive signals whether the peer's network stack still acknowledges what is
 * sent to it. That does not hang on the peer's process, so the limit is that of the wire: its
 * round-trip time and the pauses that it has had. Not thread-safe; times are nanoseconds of one
 * clock.
 */
public final class WireWatch {
  /** By this part of itself the memory of a long pause fades at each shorter one. */
  private static final int FADING = 8;

  private final long stallNs;
  private boolean waiting;
  private long sinceNs;
  private long delivered;
  private long waitedNs;
  private long pauseNs;
  private long rttNs;

  /**
   * A wire that may be silent for at least this long.
   *
   * @param stallNs the configured limit, in nanoseconds
   */
  public WireWatch(long stallNs) {
    this.stallNs = stallNs;
  }

  /** Nothing is under way. */
  public void reset() {
    waiting = false;
    waitedNs = 0;
  }

  /**
   * Takes over a look at the signals.
   *
   * @return {@link Wire#STUCK} when in every look of half of {@link #limitNs} there were
   *     unacknowledged packets, and none was acknowledged
   */
  public Wire look(Signals signals, long nowNs) {
    if (signals.unackedPackets() == Signals.ABSENT || signals.ackAgeNs() == Signals.ABSENT) {
      reset();
      return Wire.UNKNOWN;
    }
    if (signals.unackedPackets() == 0) {
      reset();
      return Wire.ALIVE;
    }
    rttNs = signals.rttNs();
    if (!waiting) {
      waiting = true;
      sinceNs = nowNs; // what was before may have been idleness
    } else if (hasDelivered(signals, nowNs)) {
      sinceNs = Math.max(sinceNs, nowNs - signals.ackAgeNs());
      pauseNs = Math.max(waitedNs, pauseNs - pauseNs / FADING);
    }
    delivered = signals.deliveredPackets();
    waitedNs = nowNs - sinceNs;
    return 2 * waitedNs >= limitNs() ? Wire.STUCK : Wire.ALIVE;
  }

  /**
   * Whatever the peer sends has the acknowledgement with it of what it had before: when only the
   * way there is cut, that is no sign of life.
   */
  private boolean hasDelivered(Signals signals, long nowNs) {
    return signals.deliveredPackets() == Signals.ABSENT
        ? nowNs - signals.ackAgeNs() > sinceNs
        : signals.deliveredPackets() > delivered;
  }

  /** How long the wire may be silent. */
  public long limitNs() {
    return StallRule.limitNs(stallNs, Math.max(rttNs, pauseNs));
  }
}
