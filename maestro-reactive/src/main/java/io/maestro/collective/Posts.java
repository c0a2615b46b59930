package io.maestro.collective;

import io.maestro.api.Region;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Sends to one peer that nobody waits for, until this rank leaves. Any thread. */
final class Posts {

  private final AtomicInteger underWay = new AtomicInteger();
  private volatile @Nullable Runnable onIdle;

  /** A send of a region, which is released when that has ended in whatever way. */
  Mono<Void> sending(Region region, Mono<Void> send) {
    return Mono.defer(
        () -> {
          underWay.incrementAndGet();
          return send.doFinally(signal -> ended(region));
        });
  }

  private void ended(Region region) {
    region.release();
    if (underWay.decrementAndGet() == 0) {
      Runnable waiting = onIdle;
      if (waiting != null) {
        waiting.run();
      }
    }
  }

  /** Completes when none is under way. One waits at a time. */
  Mono<Void> idle() {
    return Mono.create(
        sink -> {
          onIdle = sink::success; // before looking: one of both sees the last end
          if (underWay.get() == 0) {
            sink.success();
          }
        });
  }
}
