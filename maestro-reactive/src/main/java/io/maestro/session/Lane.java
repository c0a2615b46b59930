package io.maestro.session;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/**
 * One transfer's place in the fan-out: it subscribes to the transfer's chunks and requests exactly
 * one for each that a path has room for. Session's loop only.
 */
final class Lane implements CoreSubscriber<Chunk> {
  private final Transfer transfer;
  private @Nullable Subscription subscription;
  private @Nullable Chunk next;
  private long quantumLeft;

  Lane(Transfer transfer) {
    this.transfer = transfer;
  }

  Transfer transfer() {
    return transfer;
  }

  /** Starts a new turn of this lane, in which it may issue that many bytes. */
  void startTurn(long quantumBytes) {
    quantumLeft = quantumBytes;
  }

  boolean turnIsOver() {
    return quantumLeft <= 0;
  }

  /** The next chunk; only when the transfer has more. */
  Chunk take() {
    Subscription source = subscription;
    if (source == null) {
      throw new IllegalStateException("not subscribed");
    }
    source.request(1);
    Chunk chunk = next;
    if (chunk == null) {
      throw new IllegalStateException("the transfer had no chunk");
    }
    next = null;
    quantumLeft -= chunk.length();
    return chunk;
  }

  @Override
  public void onSubscribe(Subscription newSubscription) {
    subscription = newSubscription;
  }

  @Override
  public void onNext(Chunk chunk) {
    next = chunk;
  }

  @Override
  public void onError(Throwable failure) {
    transfer.stop(failure);
  }

  @Override
  public void onComplete() {
    subscription = null;
  }
}
