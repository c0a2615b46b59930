package io.maestro.session;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** What a path has measured and done; written on its loop, read from any thread. */
final class PathProgress {
  private volatile @Nullable InetSocketAddress local;
  private volatile @Nullable InetSocketAddress remote;
  private volatile long rateBytesPerSecond;
  private volatile long rttNs;
  private volatile long minRttNs;
  private volatile long ackedBytes;
  private volatile long ackedChunks;
  private long bytes;
  private long chunkCount;

  void established(InetSocketAddress newLocal, InetSocketAddress newRemote) {
    local = newLocal;
    remote = newRemote;
  }

  void acked(int length) {
    bytes += length;
    chunkCount++;
  }

  void measured(long newRate, long newRttNs, long newMinRttNs) {
    rateBytesPerSecond = newRate;
    rttNs = newRttNs;
    minRttNs = newMinRttNs;
    ackedBytes = bytes;
    ackedChunks = chunkCount;
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

  long ackedBytes() {
    return ackedBytes;
  }

  long ackedChunks() {
    return ackedChunks;
  }
}
