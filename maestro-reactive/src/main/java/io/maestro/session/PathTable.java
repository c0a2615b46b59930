package io.maestro.session;

import io.maestro.api.PathReport;
import io.maestro.api.RouteReport;
import io.maestro.path.PathLoad;
import io.maestro.path.PathMonitor;
import io.maestro.verbs.Signals;
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
  private final int maxChunks;
  private final PathLoad load = new PathLoad(SessionParameters.MAX_PATHS);
  private final @Nullable Path[] paths = new Path[SessionParameters.MAX_PATHS];
  private final int[] controlsOut = new int[SessionParameters.MAX_PATHS];
  private final boolean[] up = new boolean[SessionParameters.MAX_PATHS];
  private final boolean[] suspended = new boolean[SessionParameters.MAX_PATHS];
  private final boolean[] touched = new boolean[SessionParameters.MAX_PATHS];
  private int firstToWake;
  private Runnable onChange = () -> {};
  private volatile List<Row> rows = List.of();
  private volatile List<Share> shares = List.of();

  /** What is planned of one path. */
  record Share(double weight, long windowBytes) {
    private static final Share NONE = new Share(0, 0);
  }

  private static final PathMonitor.Counters NOT_THERE =
      new PathMonitor.Counters(false, 0, 0, 0, 0, 0, 0, 0, Signals.NONE);

  /** What a report is made of. */
  private record Row(int id, Path path, boolean up, int ups) {}

  PathTable(int maxChunks) {
    this.maxChunks = maxChunks;
  }

  /** Takes a path that is being connected. */
  void add(Path path) {
    int id = path.id();
    Path earlier = paths[id];
    if (earlier != null) {
      path.progress().continueFrom(earlier.progress());
    }
    paths[id] = path;
    load.paths(Math.max(load.paths(), id + 1));
    load.unackedBytes(id, 0);
    load.slots(id, maxChunks);
    controlsOut[id] = 0;
    publish();
  }

  @Nullable Path get(int id) {
    return id < paths.length ? paths[id] : null;
  }

  void up(Path path) {
    up[path.id()] = true;
    publish();
    onChange.run();
  }

  /** The path is lost: what it had is nothing of its successor's. */
  void down(Path path) {
    int id = path.id();
    up[id] = false;
    suspended[id] = false;
    load.usable(id, false);
    load.unackedBytes(id, 0);
    load.slots(id, maxChunks);
    controlsOut[id] = 0;
    publish();
    onChange.run();
  }

  /** Gives a path no more work for now, or again. */
  void suspend(int id, boolean noMore) {
    suspended[id] = noMore;
    load.usable(id, !noMore && up[id]);
    onChange.run();
  }

  boolean isSuspended(int id) {
    return suspended[id];
  }

  boolean isUp(int id) {
    return up[id];
  }

  /** Whether a path has anything that the peer has not acknowledged. */
  boolean isBusy(int id) {
    return load.unackedBytes(id) > 0 || controlsOut[id] > 0;
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

  /** Sets what is to be done whenever a path may get chunks or may not any more. */
  void onChange(Runnable action) {
    onChange = action;
  }

  /** Takes over what is planned of each path, by its number, for reports. */
  void planned(List<Share> newShares) {
    shares = newShares;
  }

  /** Whether any chunk is with a path. */
  boolean anyUnacked() {
    for (int id = 0; id < load.paths(); id++) {
      if (load.unackedBytes(id) > 0) {
        return true;
      }
    }
    return false;
  }

  /** What has been counted and measured of each path so far, by its number. */
  List<PathMonitor.Counters> counters() {
    List<PathMonitor.Counters> all = new ArrayList<>(load.paths());
    for (int id = 0; id < load.paths(); id++) {
      Path path = paths[id];
      all.add(path == null ? NOT_THERE : counters(id, path.progress()));
    }
    return all;
  }

  private PathMonitor.Counters counters(int id, PathProgress progress) {
    return new PathMonitor.Counters(
        up[id] && !suspended[id],
        progress.ackedBytes(),
        load.unackedBytes(id),
        progress.rateBytesPerSecond(),
        progress.rttNs(),
        progress.minRttNs(),
        progress.silenceNs(),
        load.takeLag(id),
        progress.signals());
  }

  void offer(int id, Chunk chunk) {
    path(id).offer(chunk);
    load.issued(id, chunk.length());
    touched[id] = true;
  }

  /** A chunk has come back. */
  void settle(int id, int length) {
    load.settled(id, length);
  }

  /**
   * The path for a control message: of those with a credit the one where it arrives first, and
   * rather one that may carry chunks too.
   */
  @Nullable Path forControl() {
    int best = -1;
    for (int id = 0; id < load.paths(); id++) {
      if (up[id] && !suspended[id] && controlsOut[id] < SendQueue.DEPTH && isBetter(id, best)) {
        best = id;
      }
    }
    return best < 0 ? null : paths[best];
  }

  private boolean isBetter(int id, int best) {
    if (best < 0 || load.usable(id) != load.usable(best)) {
      return best < 0 || load.usable(id);
    }
    return load.drainNs(id) < load.drainNs(best);
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
    List<Share> planned = shares;
    Share share = row.id < planned.size() ? planned.get(row.id) : Share.NONE;
    InetSocketAddress local = progress.local();
    InetSocketAddress remote = progress.remote();
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("unknown", 0);
    return new PathReport(
        row.id,
        local == null ? unknown : local,
        remote == null ? unknown : remote,
        vitals.reportedState(),
        share.weight(),
        share.windowBytes(),
        load.unackedBytes(row.id),
        progress.rateBytesPerSecond(),
        progress.rttNs(),
        progress.ackedBytes(),
        progress.ackedChunks(),
        progress.marks(),
        row.path.queued(),
        RouteReport.unknown(""),
        vitals.report(row.ups > (row.up ? 1 : 0), nowNs));
  }
}
