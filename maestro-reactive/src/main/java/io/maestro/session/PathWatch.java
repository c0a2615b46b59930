package io.maestro.session;

import io.maestro.path.PaceEstimate;
import io.maestro.path.StallRule;
import io.maestro.path.WireWatch;
import io.maestro.verbs.QueuePair;

/**
 * Watches whether what is under way on a path makes progress: chunks and messages that the peer
 * must acknowledge. Path's loop only.
 */
final class PathWatch {
  private final PathProgress progress;
  private final WireWatch wire;
  private final PaceEstimate pace = new PaceEstimate();
  private final long stallNs;
  private int underWay;
  private int chunksUnderWay;
  private int chunksAtOnce;
  private long chunksNs;
  private long chunkPauseNs;
  private boolean wasIdle;
  private long signs;
  private long postedNs;
  private long sinceNs;
  private long heldUpNs;
  private long lastLookNs;

  PathWatch(PathProgress progress, long stallNs) {
    this.progress = progress;
    this.stallNs = stallNs;
    wire = new WireWatch(stallNs);
  }

  /** Something is under way from now on. */
  void posted(boolean chunk, long nowNs) {
    boolean firstChunk = chunk && chunksUnderWay++ == 0;
    if (firstChunk) {
      chunksNs = nowNs;
    }
    if (firstChunk || underWay == 0) {
      wasIdle = true;
      postedNs = nowNs;
    }
    if (underWay++ == 0) {
      begin(nowNs);
    }
  }

  /** The oldest of what was under way has been acknowledged. */
  void settled(boolean chunk, long nowNs) {
    if (wasIdle && (chunk || chunksUnderWay == 0)) {
      pace.onFirst(nowNs - postedNs, chunk);
      wasIdle = false;
    }
    sign(nowNs);
    if (chunk) {
      settledChunk(nowNs);
    }
    underWay--;
  }

  private void settledChunk(long nowNs) {
    if (nowNs != chunksNs) {
      countChunks();
      chunkPauseNs = nowNs - chunksNs;
      chunksNs = nowNs;
    }
    chunksAtOnce++;
    chunksUnderWay--;
  }

  /** All that were acknowledged at once are known. */
  private void countChunks() {
    if (chunksAtOnce > 0) {
      pace.onChunks(chunkPauseNs, chunksAtOnce);
      chunksAtOnce = 0;
    }
  }

  /**
   * Something came from the peer: what it has to acknowledge may only wait behind what it sends.
   */
  void heard(long nowNs) {
    sign(nowNs);
  }

  /** Chunks came from the peer. */
  void inbound(long nowNs) {
    pace.onInbound(nowNs);
  }

  private void sign(long nowNs) {
    signs++;
    if (nowNs != sinceNs && underWay > 0) {
      pace.onSign(nowNs - sinceNs - heldUpNs);
      begin(nowNs);
    }
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
    countChunks();
    int announced = Math.min(chunksUnderWay, NotifyRuns.DUE_CHUNKS);
    long limitNs = StallRule.limitNs(stallNs, pace.expectedNs(announced, nowNs));
    StallRule.Wire state = lookAtWire(pair, nowNs);
    if (state == StallRule.Wire.STUCK) {
      limitNs = Math.min(limitNs, wire.limitNs()); // which no process can hold up
    }
    progress.looked(new PathProgress.Look(signs, underWay, silentNs, limitNs, state));
    return 2 * silentNs >= limitNs;
  }

  private StallRule.Wire lookAtWire(QueuePair pair, long nowNs) {
    if (underWay == 0) {
      wire.reset();
      return StallRule.Wire.UNKNOWN;
    }
    return wire.look(pair.signals(), nowNs);
  }
}
