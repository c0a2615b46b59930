package io.maestro.collective;

import io.maestro.api.MaestroException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * How communicators are formed at a rendezvous: they are there when all members have passed a
 * barrier.
 *
 * @param deadline of calls
 * @param timer where deadlines are watched
 */
record Formation(Rendezvous rendezvous, Duration deadline, Scheduler timer) {

  /** Attempts to meet again when somebody fails between meeting and barrier. */
  private static final int ATTEMPTS = 4;

  /** A communicator, and what it was formed from. */
  record Formed(Formation formation, Rendezvous.Meeting meeting) {

    /** Forms one without some members, by their numbers in this one. */
    Mono<Communicator> again(Set<Integer> lost, Function<Formed, Communicator> make) {
      Set<Integer> gone =
          IntStream.rangeClosed(0, meeting.members().getLast())
              .filter(rank -> !meeting.members().contains(rank))
              .boxed()
              .collect(Collectors.toCollection(HashSet::new));
      lost.forEach(rank -> gone.add(meeting.members().get(rank)));
      return formation.form(meeting.round() + 1, gone, ATTEMPTS, make);
    }

    void close() {
      meeting.others().forEach(Doors::close);
    }
  }

  Mono<Communicator> first(Function<Formed, Communicator> make) {
    return form(0, Set.of(), 1, make);
  }

  private Mono<Communicator> form(
      int round, Set<Integer> gone, int attempts, Function<Formed, Communicator> make) {
    return rendezvous
        .meet(round, gone)
        .flatMap(
            meeting ->
                check(make.apply(new Formed(this, meeting)))
                    .onErrorResume(
                        MaestroException.class,
                        failure ->
                            attempts > 1
                                ? form(meeting.round() + 1, gone, attempts - 1, make)
                                : Mono.error(failure)));
  }

  private static Mono<Communicator> check(Communicator communicator) {
    return communicator
        .barrier()
        .thenReturn(communicator)
        .doOnError(failure -> communicator.close())
        .doOnCancel(communicator::close);
  }
}
