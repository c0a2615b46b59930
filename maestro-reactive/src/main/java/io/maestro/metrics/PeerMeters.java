package io.maestro.metrics;

import io.maestro.api.Connection;
import io.maestro.api.PathReport;
import io.maestro.api.PathSample;
import io.micrometer.core.instrument.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The meters of the connections with one peer, or with all beyond the limit. What is read within a
 * moment is read from the connections once. Any thread.
 */
final class PeerMeters {
  /** Far shorter than what is between two scrapes, far longer than one. */
  private static final long MOMENT_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ReentrantLock lock = new ReentrantLock();
  private final Registering registering;
  private final int maxPaths;
  private final Clock clock;
  private final List<Connection> open = new ArrayList<>();
  private final Map<String, PathTotals> ended = new HashMap<>();
  private final Map<String, PathMeters> meters = new HashMap<>();
  private volatile Seen seen = new Seen(0, 0, 0, Map.of());

  /** What there was at a moment. */
  private record Seen(long atNs, int open, long credits, Map<String, PathTotals> paths) {
    PathTotals path(String tag) {
      return paths.getOrDefault(tag, PathTotals.NONE);
    }
  }

  PeerMeters(Registering registering, int maxPaths) {
    this.registering = registering;
    this.maxPaths = maxPaths;
    this.clock = registering.registry().config().clock();
    registering.gauge(MaestroMeter.SESSION_OPEN, this, each -> each.now().open());
    registering.gauge(MaestroMeter.SESSION_CREDITS, this, each -> each.now().credits());
  }

  void opened(Connection connection) {
    lock.lock();
    try {
      open.add(connection);
      look();
    } finally {
      lock.unlock();
    }
  }

  /** True when there is no connection left. */
  boolean closed(Connection connection) {
    lock.lock();
    try {
      if (open.remove(connection)) {
        addPaths(connection, ended);
        ended.replaceAll((tag, totals) -> totals.ended());
        look();
      }
      return open.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  void remove() {
    lock.lock();
    try {
      open.clear();
      meters.values().forEach(PathMeters::remove);
      registering.removeAll();
    } finally {
      lock.unlock();
    }
  }

  /** What is no older than a moment; older when another thread looks just now. */
  private Seen now() {
    if (clock.monotonicTime() - seen.atNs > MOMENT_NS && lock.tryLock()) {
      try {
        look();
      } finally {
        lock.unlock();
      }
    }
    return seen;
  }

  private void look() {
    Map<String, PathTotals> paths = new HashMap<>(ended);
    long credits = 0;
    for (Connection connection : open) {
      addPaths(connection, paths);
      long known = connection.credits();
      credits += known == PathSample.ABSENT ? 0 : known;
    }
    seen = new Seen(clock.monotonicTime(), open.size(), credits, paths);
    paths.forEach(this::register);
  }

  private void addPaths(Connection connection, Map<String, PathTotals> paths) {
    for (PathReport path : connection.paths()) {
      String tag = path.id() < maxPaths ? Integer.toString(path.id()) : MeterOptions.OTHER;
      paths.put(tag, paths.getOrDefault(tag, PathTotals.NONE).plus(path));
    }
  }

  private void register(String tag, PathTotals totals) {
    PathMeters known =
        meters.computeIfAbsent(
            tag, name -> new PathMeters(registering.with("path", name), () -> now().path(name)));
    if (totals.knowsMarks()) {
      known.marksKnown();
    }
  }
}
