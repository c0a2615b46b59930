package io.maestro.session;

import io.maestro.path.DeliveryRate;
import io.maestro.path.StallRule;
import io.maestro.verbs.Signals;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** What a path has measured and done; written on its loop, read from any thread. */
final class PathProgress {
  private volatile @Nullable InetSocketAddress local;
  private volatile @Nullable InetSocketAddress remote;
  private volatile long rateBytesPerSecond;
  private volatile long rttNs;
  private volatile long minRttNs;
  private volatile long silenceNs;
  private volatile long ackedBytes;
  private volatile long ackedChunks;
  private volatile long heardNs;
  private volatile long flushed;
  private volatile Look look = Look.IDLE;
  private volatile Signals signals = Signals.NONE;
  private volatile long earlierMarks = Signals.ABSENT;
  private long bytes;
  private long chunkCount;

  /**
   * What {@link PathWatch} saw.
   *
   * @param signs how many signs of progress there were so far
   * @param underWay how much is to be acknowledged
   * @param silentNs how long there was no progress, in nanoseconds
   * @param limitNs how long there may be none
   * @param wire what the peer's network stack says
   */
  record Look(long signs, int underWay, long silentNs, long limitNs, StallRule.Wire wire) {
    static final Look IDLE = new Look(0, 0, 0, Long.MAX_VALUE, StallRule.Wire.UNKNOWN);
  }

  void looked(Look newLook) {
    look = newLook;
  }

  /** The latest look. */
  Look look() {
    return look;
  }

  void heard(long nowNs) {
    heardNs = nowNs;
  }

  /** When something last came from the peer. */
  long heardNs() {
    return heardNs;
  }

  void flushed(long count) {
    flushed = count;
  }

  /** Work requests that ended with the queue pair and not by themselves. */
  long flushed() {
    return flushed;
  }

  void established(InetSocketAddress newLocal, InetSocketAddress newRemote) {
    local = newLocal;
    remote = newRemote;
  }

  /** Goes on counting where an earlier generation of the path has ended. */
  void continueFrom(PathProgress earlier) {
    bytes = earlier.ackedBytes;
    chunkCount = earlier.ackedChunks;
    ackedBytes = bytes;
    ackedChunks = chunkCount;
    earlierMarks = earlier.marks();
  }

  void acked(int length) {
    bytes += length;
    chunkCount++;
  }

  void measured(DeliveryRate rate) {
    rateBytesPerSecond = rate.bytesPerSecond();
    rttNs = rate.rttNs();
    minRttNs = rate.minRttNs();
    silenceNs = rate.silenceNs();
    ackedBytes = bytes;
    ackedChunks = chunkCount;
  }

  void network(Signals newSignals) {
    signals = newSignals;
  }

  Signals signals() {
    return signals;
  }

  /** Congestion marks of all generations so far, or {@link Signals#ABSENT}. */
  long marks() {
    long now = signals.congestionMarks();
    if (now == Signals.ABSENT || earlierMarks == Signals.ABSENT) {
      return Math.max(now, earlierMarks);
    }
    return earlierMarks + now;
  }

  @Nullable InetSocketAddress local() {
    return local;
  }

  @Nullable InetSocketAddress remote() {
    return remote;
  }

  long rateBytesPerSecond() {
    return rateBytesPerSecond;
  }

  long rttNs() {
    return rttNs;
  }

  long minRttNs() {
    return minRttNs;
  }

  long silenceNs() {
    return silenceNs;
  }

  long ackedBytes() {
    return ackedBytes;
  }

  long ackedChunks() {
    return ackedChunks;
  }
}
