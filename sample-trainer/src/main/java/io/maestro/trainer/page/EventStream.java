package io.maestro.trainer.page;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.codec.ServerSentEvent;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * What happens in a run as server-sent events, for any number of pages up to a limit. A browser
 * that is slow misses the oldest of what waits for it, and holds up nobody.
 */
final class EventStream implements AutoCloseable {

  private static final Duration PERIOD = Duration.ofMillis(250);
  private static final int MOST_PAGES = 16;
  private static final int MOST_WAITING = 64;

  private final RunModel model;
  private final Scheduler scheduler = Schedulers.newSingle("page", true);
  private final Sinks.Many<ServerSentEvent<Object>> sink =
      Sinks.many().multicast().directBestEffort();
  private final Sinks.One<Boolean> end = Sinks.one();
  private final AtomicInteger pages = new AtomicInteger();

  EventStream(RunModel model) {
    this.model = model;
    model.listen(item -> scheduler.schedule(() -> emit(name(item), item)));
    Flux.interval(PERIOD, scheduler)
        .onBackpressureDrop()
        .subscribe(tick -> emit("frame", model.frame()));
  }

  private static String name(Object item) {
    return item instanceof View.Epoch ? "epoch" : "news";
  }

  /** On the one thread of the scheduler. */
  private void emit(String name, Object data) {
    Sinks.EmitResult result = sink.tryEmitNext(PageRoutes.event(name, data));
    if (result != Sinks.EmitResult.FAIL_ZERO_SUBSCRIBER) {
      result.orThrow();
    }
  }

  /** The events from now on, after all that is known; empty when too many pages are open. */
  Optional<Flux<ServerSentEvent<Object>>> open() {
    if (pages.incrementAndGet() > MOST_PAGES) {
      pages.decrementAndGet();
      return Optional.empty();
    }
    Flux<ServerSentEvent<Object>> later =
        sink.asFlux().onBackpressureBuffer(MOST_WAITING, BufferOverflowStrategy.DROP_OLDEST);
    Flux<ServerSentEvent<Object>> first =
        Flux.defer(() -> Flux.just(PageRoutes.event("snapshot", model.snapshot())));
    return Optional.of(
        Flux.merge(first, later)
            .takeUntilOther(end.asMono())
            .concatWith(Mono.fromSupplier(() -> PageRoutes.event("end", model.snapshot())))
            .doFinally(signal -> pages.decrementAndGet()));
  }

  /** Tells all pages that the run is over, and ends their streams. Twice is once. */
  @Override
  public void close() {
    end.tryEmitValue(true);
    scheduler.dispose();
  }
}
