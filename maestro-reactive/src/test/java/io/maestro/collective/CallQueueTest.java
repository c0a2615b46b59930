package io.maestro.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.MaestroException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class CallQueueTest {

  private final CallQueue queue = new CallQueue();
  private final Sinks.Empty<Void> first = Sinks.empty();

  @Test
  void callsWaitForThoseBeforeThem() {
    List<Integer> begun = new ArrayList<>();
    queue.inTurn(first.asMono()).subscribe();
    queue.inTurn(Mono.fromRunnable(() -> begun.add(1))).subscribe();
    queue.inTurn(Mono.fromRunnable(() -> begun.add(2))).subscribe();
    assertThat(begun).isEmpty();
    first.tryEmitEmpty();
    assertThat(begun).containsExactly(1, 2);
  }

  @Test
  void asManyAsMayWaitEndAtOnceWithoutRecursion() {
    AtomicInteger depth = new AtomicInteger();
    AtomicInteger deepest = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    Mono<Void> call =
        Mono.defer(
            () -> {
              deepest.accumulateAndGet(depth.incrementAndGet(), Math::max);
              return Mono.error(new IllegalStateException("ends at once"));
            });
    queue.inTurn(first.asMono()).subscribe();
    for (int i = 0; i < CallQueue.LIMIT; i++) {
      queue
          .inTurn(call)
          .doFinally(signal -> depth.decrementAndGet())
          .subscribe(done -> {}, failure -> failed.incrementAndGet());
    }
    first.tryEmitEmpty();
    assertThat(failed).hasValue(CallQueue.LIMIT);
    assertThat(deepest).hasValue(1);
  }

  @Test
  void oneMoreThanMayWaitIsRefusedAndMayBeTriedAgain() {
    queue.inTurn(first.asMono()).subscribe();
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < CallQueue.LIMIT; i++) {
      queue.inTurn(Mono.fromRunnable(done::incrementAndGet)).subscribe();
    }
    Mono<Void> refused = queue.inTurn(Mono.fromRunnable(done::incrementAndGet));
    StepVerifier.create(refused)
        .expectErrorSatisfies(e -> assertThat(e).isInstanceOf(MaestroException.Rejected.class))
        .verify(Duration.ofSeconds(5));
    first.tryEmitEmpty();
    assertThat(done).hasValue(CallQueue.LIMIT);
    StepVerifier.create(refused).expectComplete().verify(Duration.ofSeconds(5));
    assertThat(done).hasValue(CallQueue.LIMIT + 1);
  }

  @Test
  void aCallThatIsCancelledWhileItWaitsLetsTheNextOneRun() {
    AtomicInteger begun = new AtomicInteger();
    queue.inTurn(first.asMono()).subscribe();
    Disposable cancelled = queue.inTurn(Mono.fromRunnable(() -> begun.addAndGet(100))).subscribe();
    queue.inTurn(Mono.fromRunnable(begun::incrementAndGet)).subscribe();
    cancelled.dispose();
    first.tryEmitEmpty();
    assertThat(begun).hasValue(1);
  }

  @Test
  void callsOfManyThreadsNeverRunTogether() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger together = new AtomicInteger();
    Mono<Void> call =
        Mono.<Void>fromRunnable(
                () -> together.accumulateAndGet(running.incrementAndGet(), Math::max))
            .subscribeOn(Schedulers.parallel())
            .doOnSuccess(done -> running.decrementAndGet());
    Flux.range(0, 10_000)
        .flatMap(i -> queue.inTurn(call).subscribeOn(Schedulers.boundedElastic()), 8)
        .blockLast(Duration.ofMinutes(1));
    assertThat(together).hasValue(1);
  }
}
