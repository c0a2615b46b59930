package io.maestro.boot.actuate;

import io.maestro.api.Connection;
import io.maestro.api.MaestroObserver;
import io.maestro.api.PathEvent;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Remembers what has happened to connections of late, by the clock of this machine. Any thread. */
final class ConnectionLog implements MaestroObserver {
  private static final int MOST_EVENTS = 64;
  private static final int MOST_ENDED = 16;

  private final AtomicLong ids = new AtomicLong();
  private final Map<Connection, Entry> entries = new ConcurrentHashMap<>();
  private final Deque<Ended> ended = new ArrayDeque<>();

  /** What happened to a path. */
  record Happened(Instant at, PathEvent event) {}

  /** A connection that is no more; {@code failure} is null when it ended in order. */
  record Ended(String id, String peer, Instant at, @Nullable String failure) {}

  /** A connection that is open. */
  static final class Entry {
    private final String id;
    private final Connection connection;
    private final Instant since = Instant.now();
    private final Deque<Happened> events = new ArrayDeque<>();

    Entry(String id, Connection connection) {
      this.id = id;
      this.connection = connection;
    }

    /** Unique while the application runs. */
    String id() {
      return id;
    }

    Connection connection() {
      return connection;
    }

    /** When it was first seen. */
    Instant since() {
      return since;
    }

    private void add(PathEvent event) {
      synchronized (events) {
        if (events.size() == MOST_EVENTS) {
          events.removeFirst();
        }
        events.addLast(new Happened(Instant.now(), event));
      }
    }

    /** The latest, oldest first. */
    List<Happened> recent() {
      synchronized (events) {
        return List.copyOf(events);
      }
    }
  }

  @Override
  public void connectionOpened(Connection connection) {
    entryOf(connection);
  }

  @Override
  public void connectionClosed(Connection connection, @Nullable Throwable failure) {
    Entry entry = entries.remove(connection);
    if (entry == null) {
      return;
    }
    synchronized (ended) {
      if (ended.size() == MOST_ENDED) {
        ended.removeFirst();
      }
      String why = failure == null ? null : failure.getMessage();
      ended.addLast(new Ended(entry.id, connection.peer(), Instant.now(), why));
    }
  }

  private Entry entryOf(Connection connection) {
    return entries.computeIfAbsent(connection, this::watch);
  }

  private Entry watch(Connection connection) {
    Entry entry = new Entry(Long.toString(ids.incrementAndGet()), connection);
    connection.pathEvents().subscribe(entry::add);
    return entry;
  }

  /** Those of connections that are open, which need not have been observed; by their ids. */
  List<Entry> of(Collection<Connection> open) {
    entries.keySet().retainAll(open);
    return open.stream()
        .map(this::entryOf)
        .sorted((one, other) -> Long.compare(Long.parseLong(one.id), Long.parseLong(other.id)))
        .toList();
  }

  /** The connections that ended last, oldest first. */
  List<Ended> ended() {
    synchronized (ended) {
      return List.copyOf(ended);
    }
  }
}
