package io.maestro.trainer.sync;

import java.util.List;

/**
 * What a worker has moved since it joined.
 *
 * @param bytesSent payload bytes of gradients sent
 * @param bytesReceived payload bytes of parameters received
 * @param paths payload bytes by path, as far as this side knows them
 * @param lostChunks chunks that were sent and never arrived, on no path
 */
public record SyncStats(
    long bytesSent, long bytesReceived, List<PathBytes> paths, long lostChunks) {

  /** Nothing moved. */
  public static final SyncStats NONE = new SyncStats(0, 0, List.of(), 0);

  /** Keeps its own copy of the list. */
  public SyncStats {
    paths = List.copyOf(paths);
  }

  /**
   * The payload of one path.
   *
   * @param path its number, from 0
   * @param bytes payload bytes
   */
  public record PathBytes(int path, long bytes) {}

  /** Both directions. */
  public long bytes() {
    return bytesSent + bytesReceived;
  }
}
