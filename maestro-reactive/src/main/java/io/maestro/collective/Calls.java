package io.maestro.collective;

import io.maestro.api.MaestroException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Scheduler;

/** Runs the calls of a rank, each under a deadline. The first that fails ends all. */
final class Calls {

  private final int rank;
  private final Duration deadline;
  private final Scheduler timer;
  private final List<RankLink> links;
  private final CallQueue queue = new CallQueue();
  private final Ending ending;
  private Tag last = Tag.first(Tag.Kind.COLLECTIVE); // touched by the call whose turn it is

  /**
   * @param deadline how long a call may take, from when those before it have ended
   * @param links to the others, which are not started yet
   */
  Calls(int rank, Duration deadline, Scheduler timer, List<RankLink> links) {
    this.rank = rank;
    this.deadline = deadline;
    this.timer = timer;
    this.links = links;
    ending = new Ending(rank, timer, links);
  }

  Ending ending() {
    return ending;
  }

  /** Lets messages come. */
  void start() {
    links.forEach(link -> link.start(ending));
  }

  /**
   * A call that all ranks make.
   *
   * @param what hash of what must be the same on all ranks
   */
  Mono<Void> collective(int what, Function<Tag, Mono<Void>> work) {
    return inTurn(
        queue,
        () -> {
          last = last.next(what);
          links.forEach(link -> link.calls().enter(last));
          return links.isEmpty() ? Mono.empty() : work.apply(last);
        });
  }

  /** A call in a queue of its own. */
  Mono<Void> inTurn(CallQueue turns, Supplier<Mono<Void>> work) {
    return turns.inTurn(Mono.defer(() -> underDeadline(work))).doFinally(this::cancelled);
  }

  private Mono<Void> underDeadline(Supplier<Mono<Void>> work) {
    if (ending.hasBegun()) {
      return ending.failure();
    }
    // not timeout(): it would cancel the work before it could be asked for whom it waits
    Mono<Void> tooLate = Mono.delay(deadline, timer).then(Mono.error(this::late));
    return Mono.firstWithSignal(ending.failure(), Mono.defer(work), tooLate)
        .onErrorResume(
            cause -> {
              ending.onFailure(cause);
              return ending.failure();
            });
  }

  private MaestroException late() {
    String awaited =
        links.stream()
            .filter(RankLink::isAwaited)
            .map(link -> Integer.toString(link.rank()))
            .collect(Collectors.joining(", "));
    return new MaestroException.DeadlineExceeded(
        "a call of rank %d took longer than %s, waiting for ranks [%s]: see that all ranks make the"
                .formatted(rank, deadline, awaited)
            + " same calls in the same order");
  }

  private void cancelled(SignalType signal) {
    if (signal == SignalType.CANCEL) {
      ending.onFailure(
          new MaestroException.Closed(
              "a call of rank %d was cancelled, which ends the communicator".formatted(rank)));
    }
  }
}
