package io.maestro.trainer.report;

import io.maestro.trainer.sync.SyncStats;
import io.maestro.trainer.sync.SyncStats.PathBytes;
import io.maestro.verbs.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Times one worker's synchronisation, by interval and in total. Used by one thread. */
public final class SyncMeter {

  private final NanoClock clock;
  private final Supplier<SyncStats> stats;
  private final Latencies total = new Latencies();
  private Latencies interval = new Latencies();
  private SyncStats before;
  private long intervalNs;
  private long totalNs;

  /** A meter that starts now. */
  public SyncMeter(NanoClock clock, Supplier<SyncStats> stats) {
    this.clock = clock;
    this.stats = stats;
    this.before = stats.get();
  }

  /** Runs a blocking push and pull and counts how long it took. */
  public void time(Runnable pushPull) {
    long startNs = clock.nanoTime();
    pushPull.run();
    long tookNs = clock.nanoTime() - startNs;
    interval.record(tookNs);
    total.record(tookNs);
    intervalNs += tookNs;
    totalNs += tookNs;
  }

  /** The figures since the last call, or since the start. */
  public SyncFigures takeInterval() {
    SyncStats now = stats.get();
    var figures = new SyncFigures(1, difference(now, before), intervalNs, interval);
    before = now;
    interval = new Latencies();
    intervalNs = 0;
    return figures;
  }

  /** The figures since the start. */
  public SyncFigures total() {
    return new SyncFigures(1, stats.get(), totalNs, total);
  }

  private static SyncStats difference(SyncStats now, SyncStats before) {
    List<PathBytes> paths = new ArrayList<>();
    for (PathBytes path : now.paths()) {
      long earlier =
          before.paths().stream()
              .filter(other -> other.path() == path.path())
              .mapToLong(PathBytes::bytes)
              .sum();
      paths.add(new PathBytes(path.path(), path.bytes() - earlier));
    }
    return new SyncStats(
        now.bytesSent() - before.bytesSent(),
        now.bytesReceived() - before.bytesReceived(),
        paths,
        now.lostChunks() - before.lostChunks());
  }
}
