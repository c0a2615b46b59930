package io.maestro.collective;

import io.maestro.api.MaestroException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Calls in the order of their subscription, one at a time. Any thread. */
final class CallQueue {

  /** Calls that may wait: a loop that forgets to wait is told before it fills the memory. */
  static final int LIMIT = 1024;

  private final Queue<Turn> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waitingCount = new AtomicInteger();
  private final AtomicReference<@Nullable Turn> current = new AtomicReference<>();
  private final AtomicInteger work = new AtomicInteger();

  /** Subscribes to the call when those before it have ended. */
  Mono<Void> inTurn(Mono<Void> call) {
    return Mono.defer(
        () -> {
          if (waitingCount.incrementAndGet() > LIMIT) {
            waitingCount.decrementAndGet();
            return Mono.error(tooMany());
          }
          Turn turn = new Turn();
          waiting.add(turn);
          drain();
          return turn.come.asMono().then(call).doFinally(signal -> end(turn));
        });
  }

  private static MaestroException tooMany() {
    return new MaestroException.Rejected(
        "too-many-calls",
        "%d calls are waiting already: subscribe to a call when an earlier one has completed"
            .formatted(LIMIT));
  }

  private void end(Turn turn) {
    turn.ended = true;
    if (current.compareAndSet(turn, null)) {
      drain();
    }
  }

  /** In a loop, not by recursion: calls that end at once may be many. */
  private void drain() {
    if (work.getAndIncrement() != 0) {
      return;
    }
    int missed = 1;
    while (missed != 0) {
      while (current.get() == null) {
        Turn next = waiting.poll();
        if (next == null) {
          break;
        }
        waitingCount.decrementAndGet();
        begin(next);
      }
      missed = work.addAndGet(-missed);
    }
  }

  private void begin(Turn turn) {
    current.set(turn);
    if (turn.ended) {
      current.compareAndSet(turn, null); // cancelled while it waited
    } else {
      turn.come.tryEmitEmpty();
    }
  }

  private static final class Turn {
    private final Sinks.Empty<Void> come = Sinks.empty();
    private volatile boolean ended;
  }
}
