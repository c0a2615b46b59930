package io.maestro.session;

import io.maestro.api.PathEvent;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/** Tells subscribers what happens to the paths, without waiting for any of them. */
final class PathEvents {
  /** Events that wait for one slow subscriber. */
  private static final int BUFFERED = 64;

  private final Sinks.Many<PathEvent> sink = Sinks.many().multicast().directBestEffort();

  /** Session's loop. */
  void emit(PathEvent event) {
    sink.tryEmitNext(event); // without subscribers nobody hears it
  }

  /** Session's loop. */
  void end() {
    sink.tryEmitComplete();
  }

  /** Any thread. */
  Flux<PathEvent> flux(Scheduler delivery) {
    return sink.asFlux()
        .onBackpressureBuffer(BUFFERED, BufferOverflowStrategy.DROP_OLDEST)
        .publishOn(delivery, 1);
  }
}
