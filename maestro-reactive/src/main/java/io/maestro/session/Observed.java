package io.maestro.session;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.MaestroObserver;
import io.maestro.api.MaestroObserver.Finish;
import io.maestro.api.MaestroObserver.Outcome;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Brings the observer what happens on one connection, and each end once. Session's loop only, but
 * for {@link #send}.
 */
final class Observed {
  private final @Nullable MaestroObserver observer;
  private @Nullable Connection connection;

  Observed(@Nullable MaestroObserver observer) {
    this.observer = observer;
  }

  void opened(Connection opened) {
    connection = opened;
    if (observer != null) {
      observer.connectionOpened(opened);
    }
  }

  void closed(@Nullable Throwable failure) {
    if (observer != null && connection != null) {
      observer.connectionClosed(connection, failure);
    }
  }

  /** The same send, observed for each subscription. Any thread. */
  Mono<Void> send(Connection from, long bytes, Mono<Void> send) {
    MaestroObserver told = observer;
    if (told == null) {
      return send;
    }
    return Mono.deferContextual(
        context -> {
          Finish end = once(told.sendStarted(from, bytes, context));
          return send.doOnSuccess(done -> end.finished(Outcome.DONE, null))
              .doOnError(failure -> end.finished(outcome(failure), failure))
              .doOnCancel(() -> end.finished(Outcome.CANCELLED, null));
        });
  }

  private static Outcome outcome(Throwable failure) {
    return failure instanceof MaestroException.ReceiverCancelled
        ? Outcome.CANCELLED
        : Outcome.FAILED;
  }

  /** A message has begun to come in. */
  Finish receive(long bytes) {
    return observer == null || connection == null
        ? Finish.NONE
        : once(observer.receiveStarted(connection, bytes));
  }

  private static Finish once(Finish end) {
    if (end.equals(Finish.NONE)) {
      return end;
    }
    AtomicBoolean ended = new AtomicBoolean();
    return (outcome, failure) -> {
      if (!ended.getAndSet(true)) {
        end.finished(outcome, failure);
      }
    };
  }
}
