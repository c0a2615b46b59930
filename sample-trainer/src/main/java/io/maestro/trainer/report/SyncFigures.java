package io.maestro.trainer.report;

import io.maestro.trainer.sync.SyncStats;
import io.maestro.trainer.sync.SyncStats.PathBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What synchronising cost, of one worker or of several together.
 *
 * @param workers how many workers' figures are summed
 * @param moved bytes and chunks moved, summed over the workers
 * @param syncNs time spent waiting for push and pull, summed over the workers
 * @param latencies of each push and pull of each worker
 */
public record SyncFigures(int workers, SyncStats moved, long syncNs, Latencies latencies) {

  private static final double NS_PER_SECOND = 1e9;
  private static final double BYTES_PER_MB = 1e6;

  /** No synchronisation at all. */
  public static SyncFigures none() {
    return new SyncFigures(0, SyncStats.NONE, 0, new Latencies());
  }

  /** The sum over workers. */
  public static SyncFigures sum(List<SyncFigures> parts) {
    var latencies = new Latencies();
    parts.forEach(part -> latencies.add(part.latencies()));
    return new SyncFigures(
        parts.stream().mapToInt(SyncFigures::workers).sum(),
        sumOf(parts.stream().map(SyncFigures::moved).toList()),
        parts.stream().mapToLong(SyncFigures::syncNs).sum(),
        latencies);
  }

  private static SyncStats sumOf(List<SyncStats> parts) {
    var byPath = new TreeMap<Integer, Long>();
    for (SyncStats part : parts) {
      part.paths().forEach(path -> byPath.merge(path.path(), path.bytes(), Long::sum));
    }
    var paths = new ArrayList<PathBytes>();
    byPath.forEach((path, bytes) -> paths.add(new PathBytes(path, bytes)));
    return new SyncStats(
        parts.stream().mapToLong(SyncStats::bytesSent).sum(),
        parts.stream().mapToLong(SyncStats::bytesReceived).sum(),
        paths,
        parts.stream().mapToLong(SyncStats::lostChunks).sum());
  }

  /** Seconds that a worker waited for push and pull, on average over the workers. */
  public double syncSeconds() {
    return workers == 0 ? 0 : syncNs / NS_PER_SECOND / workers;
  }

  /** Bytes that all workers moved, per second that they waited; 10^6 bytes are a MB. */
  public double megabytesPerSecond() {
    double seconds = syncSeconds();
    return seconds == 0 ? 0 : moved.bytes() / BYTES_PER_MB / seconds;
  }

  /** Each path's part of the bytes, in the order of the paths; they sum to 1. */
  public List<Double> pathShares() {
    double all = moved.paths().stream().mapToLong(PathBytes::bytes).sum();
    return all == 0 ? List.of() : moved.paths().stream().map(path -> path.bytes() / all).toList();
  }
}
