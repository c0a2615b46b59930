package io.maestro.session;

import io.maestro.path.StallRule;
import io.maestro.path.WireWatch;
import io.maestro.verbs.QueuePair;

/**
 * Watches whether what is under way on a path makes progress: chunks and messages that the peer
 * must acknowledge. Path's loop only.
 */
final class PathWatch {
  /** From this part of the limit on the wire is looked at, which costs a system call. */
  private static final int WIRE_FROM = 4;

  private final PathProgress progress;
  private final WireWatch wire = new WireWatch();
  private final long stallNs;
  private int underWay;
  private long settled;
  private long sinceNs;
  private long heldUpNs;
  private long lastLookNs;

  PathWatch(PathProgress progress, long stallNs) {
    this.progress = progress;
    this.stallNs = stallNs;
  }

  /** Something is under way from now on. */
  void posted(long nowNs) {
    if (underWay++ == 0) {
      begin(nowNs);
    }
  }

  /** The oldest of what was under way has been acknowledged. */
  void settled(long nowNs) {
    underWay--;
    settled++;
    begin(nowNs);
  }

  private void begin(long nowNs) {
    sinceNs = nowNs;
    heldUpNs = 0;
  }

  /**
   * Looks, and publishes what it sees; true when the path has been silent for half of its limit.
   */
  boolean look(QueuePair pair, long nowNs) {
    long lookNs = stallNs / StallRule.LOOKS;
    long gapNs = Math.min(nowNs - lastLookNs, nowNs - sinceNs);
    lastLookNs = nowNs;
    if (gapNs > 2 * lookNs) {
      heldUpNs += gapNs - lookNs; // neither this loop nor the session's came to look
    }
    long silentNs = underWay == 0 ? 0 : nowNs - sinceNs - heldUpNs;
    long limitNs = StallRule.limitNs(stallNs, progress.rttNs());
    StallRule.Wire state = StallRule.Wire.UNKNOWN;
    if (WIRE_FROM * silentNs < limitNs) {
      wire.reset();
    } else {
      state = wire.look(pair.signals(), nowNs, limitNs / 2);
    }
    progress.looked(new PathProgress.Look(settled, underWay, silentNs, limitNs, state));
    return 2 * silentNs >= limitNs;
  }
}
