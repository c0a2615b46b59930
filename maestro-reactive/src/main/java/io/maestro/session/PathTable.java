package io.maestro.session;

import io.maestro.api.PathReport;
import io.maestro.api.RouteReport;
import io.maestro.path.PathLoad;
import io.maestro.path.PathWindow;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The session's view of its paths: what each has in flight and may have. Session's loop only, but
 * for {@link #report}.
 */
final class PathTable {
  private static final double SMOOTHING = 256;

  /** How long a loop may wait for a busy core: a window must outlast it, however short the wire. */
  private static final long TURN_NS = 2_000_000;

  private final int chunkBytes;
  private final long maxWindowBytes;
  private final int maxChunks;
  private final PathLoad load = new PathLoad(SessionParameters.MAX_PATHS);
  private final @Nullable Path[] paths = new Path[SessionParameters.MAX_PATHS];
  private final int[] chunksOut = new int[SessionParameters.MAX_PATHS];
  private final int[] controlsOut = new int[SessionParameters.MAX_PATHS];
  private final boolean[] up = new boolean[SessionParameters.MAX_PATHS];
  private final boolean[] suspended = new boolean[SessionParameters.MAX_PATHS];
  private final boolean[] touched = new boolean[SessionParameters.MAX_PATHS];
  private final double[] rates = new double[SessionParameters.MAX_PATHS];
  private long windowBytes;
  private int firstToWake;
  private volatile List<Row> rows = List.of();

  /** What a report is made of. */
  private record Row(int id, Path path, boolean up, int ups) {}

  PathTable(int chunkBytes, long maxWindowBytes, int maxChunks) {
    this.chunkBytes = chunkBytes;
    this.maxWindowBytes = maxWindowBytes;
    this.maxChunks = maxChunks;
  }

  /** Takes a path that is being connected. */
  void add(Path path) {
    int id = path.id();
    paths[id] = path;
    load.paths(Math.max(load.paths(), id + 1));
    load.unackedBytes(id, 0);
    chunksOut[id] = 0;
    controlsOut[id] = 0;
    publish();
  }

  @Nullable Path get(int id) {
    return id < paths.length ? paths[id] : null;
  }

  void up(Path path) {
    up[path.id()] = true;
    publish();
  }

  /** The path is lost: what it had is nothing of its successor's. */
  void down(Path path) {
    int id = path.id();
    up[id] = false;
    suspended[id] = false;
    load.usable(id, false);
    load.unackedBytes(id, 0);
    chunksOut[id] = 0;
    controlsOut[id] = 0;
    publish();
  }

  /** Gives a path no more work for now, or again. */
  void suspend(int id, boolean noMore) {
    suspended[id] = noMore;
    load.usable(id, !noMore && up[id]);
  }

  boolean isSuspended(int id) {
    return suspended[id];
  }

  boolean isUp(int id) {
    return up[id];
  }

  /** Whether a path has anything that the peer has not acknowledged. */
  boolean isBusy(int id) {
    return chunksOut[id] > 0 || controlsOut[id] > 0;
  }

  /** Paths that may get chunks. */
  int countUp() {
    int count = 0;
    for (boolean isUp : up) {
      count += isUp ? 1 : 0;
    }
    return count;
  }

  /** All paths that were ever added. */
  List<Path> all() {
    List<Path> all = new ArrayList<>();
    for (Path path : paths) {
      if (path != null) {
        all.add(path);
      }
    }
    return all;
  }

  PathLoad load() {
    return load;
  }

  /**
   * Takes over what the paths have measured since the last time. All get the window of the path
   * that needs most: a window of a path's own rate would decide that rate, and equal paths would
   * drift apart. What keeps a slow path short is its expected completion.
   */
  void refresh() {
    windowBytes = 0;
    for (int id = 0; id < load.paths(); id++) {
      Path path = paths[id];
      if (path != null && up[id]) {
        windowBytes = Math.max(windowBytes, ownWindowBytes(path.progress()));
      }
    }
    for (int id = 0; id < load.paths(); id++) {
      Path path = paths[id];
      load.usable(id, path != null && up[id] && !suspended[id] && chunksOut[id] < maxChunks);
      if (path != null) {
        PathProgress progress = path.progress();
        load.measured(id, windowBytes, smooth(id, progress), progress.minRttNs());
      }
    }
  }

  /**
   * The rate over about the last {@link #SMOOTHING} looks. A path that a busy machine held up for
   * some milliseconds is not slow, and to treat it so would make it slow.
   */
  private long smooth(int id, PathProgress progress) {
    long rate = progress.rateBytesPerSecond();
    boolean known = rates[id] > 0 && rate > 0;
    rates[id] = known ? rates[id] + (rate - rates[id]) / SMOOTHING : rate;
    return (long) rates[id];
  }

  private long ownWindowBytes(PathProgress progress) {
    if (progress.rateBytesPerSecond() == 0) {
      return maxWindowBytes; // nothing is known yet, and a small window would keep it so
    }
    return PathWindow.windowBytes(
        progress.rateBytesPerSecond(),
        Math.max(progress.minRttNs(), TURN_NS),
        chunkBytes,
        maxWindowBytes);
  }

  void offer(int id, Chunk chunk) {
    path(id).offer(chunk);
    load.addUnacked(id, chunk.length());
    load.usable(id, ++chunksOut[id] < maxChunks);
    touched[id] = true;
  }

  /** A chunk has come back. */
  void settle(int id, int length) {
    load.addUnacked(id, -length);
    chunksOut[id]--;
  }

  /** The path for a control message: of those with a credit the one with the least before it. */
  int forControl() {
    int best = -1;
    for (int id = 0; id < load.paths(); id++) {
      boolean better = best < 0 || load.unackedBytes(id) < load.unackedBytes(best);
      if (up[id] && !suspended[id] && controlsOut[id] < SendQueue.DEPTH && better) {
        best = id;
      }
    }
    return best;
  }

  void offer(int id, Envelope envelope) {
    path(id).offer(envelope);
    controlsOut[id]++;
    touched[id] = true;
  }

  /** A control message has been confirmed. */
  void confirmed(int id) {
    controlsOut[id]--;
  }

  /** Wakes the paths that were offered something, each time beginning with another one. */
  void wakeTouched() {
    int count = load.paths();
    for (int i = 0; i < count; i++) {
      int id = (firstToWake + i) % count;
      if (touched[id]) {
        touched[id] = false;
        path(id).wake();
      }
    }
    firstToWake = count == 0 ? 0 : (firstToWake + 1) % count;
  }

  private Path path(int id) {
    Path path = paths[id];
    if (path == null) {
      throw new IllegalStateException("there is no path " + id);
    }
    return path;
  }

  private void publish() {
    List<Row> next = new ArrayList<>();
    for (Path path : all()) {
      next.add(new Row(path.id(), path, up[path.id()], countUp()));
    }
    rows = List.copyOf(next);
  }

  /** Any thread. */
  List<PathReport> report(IntFunction<@Nullable PathVitals> vitals, long nowNs) {
    List<PathReport> reports = new ArrayList<>();
    for (Row row : rows) {
      PathVitals known = vitals.apply(row.id);
      if (known != null) {
        reports.add(report(row, known, nowNs));
      }
    }
    return List.copyOf(reports);
  }

  private PathReport report(Row row, PathVitals vitals, long nowNs) {
    PathProgress progress = row.path.progress();
    InetSocketAddress local = progress.local();
    InetSocketAddress remote = progress.remote();
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("unknown", 0);
    long rate = progress.rateBytesPerSecond();
    return new PathReport(
        row.id,
        local == null ? unknown : local,
        remote == null ? unknown : remote,
        vitals.reportedState(),
        row.up ? 1.0 / row.ups : 0,
        ownWindowBytes(progress),
        load.unackedBytes(row.id),
        rate,
        progress.rttNs(),
        progress.ackedBytes(),
        progress.ackedChunks(),
        RouteReport.unknown(""),
        vitals.report(row.ups > (row.up ? 1 : 0), nowNs));
  }
}
