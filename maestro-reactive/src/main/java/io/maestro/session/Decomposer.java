package io.maestro.session;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/**
 * The chunks of a transfer as a {@code Flux}, cut on demand: one descriptor for each that is
 * requested, and none beyond. Emits within {@code request}, on the caller's thread, which must be
 * the session's loop; the subscriber owns the descriptors.
 */
final class Decomposer extends Flux<Chunk> {
  private final Transfer transfer;
  private final ChunkPool pool;

  Decomposer(Transfer transfer, ChunkPool pool) {
    this.transfer = transfer;
    this.pool = pool;
  }

  @Override
  public void subscribe(CoreSubscriber<? super Chunk> subscriber) {
    subscriber.onSubscribe(new Cutting(subscriber));
  }

  private final class Cutting implements Subscription {
    private final CoreSubscriber<? super Chunk> subscriber;
    private boolean cancelled;

    Cutting(CoreSubscriber<? super Chunk> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public void request(long n) {
      for (long i = 0; i < n && !cancelled && transfer.hasMore(); i++) {
        subscriber.onNext(transfer.issue(pool.take()));
      }
      if (!cancelled && !transfer.hasMore()) {
        cancelled = true;
        subscriber.onComplete();
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }
}
