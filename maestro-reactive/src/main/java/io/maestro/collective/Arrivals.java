package io.maestro.collective;

import io.maestro.api.Connection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Ranks that have connected, until they are asked for; of each only the last. Any thread. */
final class Arrivals {

  private final Map<Integer, Arrival> waiting = new HashMap<>();
  private final Map<Integer, MonoSink<Arrival>> asking = new HashMap<>();

  /** A rank that has connected and said what it proposes. */
  record Arrival(Connection connection, Proposal proposal) {}

  void add(Arrival arrival) {
    MonoSink<Arrival> sink = exchange(arrival);
    if (sink != null) {
      sink.success(arrival);
    }
  }

  private synchronized @Nullable MonoSink<Arrival> exchange(Arrival arrival) {
    int rank = arrival.proposal().rank();
    MonoSink<Arrival> sink = asking.remove(rank);
    if (sink == null) {
      Arrival before = waiting.put(rank, arrival);
      if (before != null) {
        before.connection().close().subscribe();
      }
    }
    return sink;
  }

  /** The next connection of a rank. One asks at a time. */
  Mono<Arrival> next(int rank) {
    return Mono.create(
        sink -> {
          Arrival there = ask(rank, sink);
          sink.onDispose(() -> forget(rank, sink));
          if (there != null) {
            sink.success(there);
          }
        });
  }

  private synchronized @Nullable Arrival ask(int rank, MonoSink<Arrival> sink) {
    Arrival there = waiting.remove(rank);
    if (there == null) {
      asking.put(rank, sink);
    }
    return there;
  }

  private synchronized void forget(int rank, MonoSink<Arrival> sink) {
    asking.remove(rank, sink);
  }
}
