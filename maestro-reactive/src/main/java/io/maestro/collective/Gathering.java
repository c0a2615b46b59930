package io.maestro.collective;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/**
 * One attempt to meet: connects to each lower rank and awaits each higher one. Both say what they
 * propose, and a connection counts when it is the same.
 */
final class Gathering {

  private static final Duration FIRST_RETRY = Duration.ofMillis(20);
  private static final Duration LAST_RETRY = Duration.ofSeconds(1);

  private final Doors doors;
  private final Proposal mine;
  private final Scheduler timer;
  private final List<Integer> members;
  private final Map<Integer, Connection> met = new ConcurrentSkipListMap<>();

  Gathering(Doors doors, Proposal mine, Scheduler timer) {
    this.doors = doors;
    this.mine = mine;
    this.timer = timer;
    members =
        IntStream.range(0, doors.ranks()).filter(rank -> !mine.gone().get(rank)).boxed().toList();
  }

  Proposal proposal() {
    return mine;
  }

  /** Members that have not come yet. */
  BitSet missing() {
    BitSet missing = new BitSet();
    members.stream()
        .filter(member -> member != mine.rank() && !met.containsKey(member))
        .forEach(missing::set);
    return missing;
  }

  /** Fails with a {@link Disagreement} when another attempt is to be made. */
  Mono<Rendezvous.Meeting> meet() {
    Mono<Void> all =
        Flux.fromIterable(members)
            .filter(member -> member != mine.rank())
            .flatMap(
                member -> member < mine.rank() ? visit(member) : receive(member), members.size())
            .then();
    return Mono.usingWhen(
        Mono.just(met),
        connections -> all.then(Mono.fromSupplier(this::meeting)),
        connections -> Mono.empty(),
        (connections, failure) -> Mono.fromRunnable(this::giveUp),
        connections -> Mono.fromRunnable(this::giveUp));
  }

  private Rendezvous.Meeting meeting() {
    int place = members.indexOf(mine.rank());
    return new Rendezvous.Meeting(mine.round(), members, place, List.copyOf(met.values()));
  }

  private void giveUp() {
    met.values().forEach(Doors::close);
  }

  private Mono<Void> visit(int member) {
    return doors
        .connect(member)
        .flatMap(connection -> unlessItFails(connection, ask(connection, member)))
        .retryWhen(
            Retry.backoff(Long.MAX_VALUE, FIRST_RETRY)
                .maxBackoff(LAST_RETRY)
                .scheduler(timer)
                .filter(MaestroException.Transient.class::isInstance));
  }

  private Mono<Void> ask(Connection connection, int member) {
    return Mono.zip(
            doors.listen(connection),
            Doors.say(connection, mine).thenReturn(true),
            (said, ok) -> said)
        .flatMap(said -> said.rank() == member ? judge(connection, said) : another(member, said));
  }

  private static Mono<Void> another(int member, Proposal said) {
    return Mono.error(
        new MaestroException.Refused(
            "rank %d is at the address of rank %d: give all ranks the same addresses"
                .formatted(said.rank(), member),
            null));
  }

  private Mono<Void> receive(int member) {
    return doors
        .arrivals()
        .next(member)
        .flatMap(
            arrival -> {
              Connection connection = arrival.connection();
              Mono<Void> answer = Doors.say(connection, mine);
              return unlessItFails(
                  connection, answer.then(Mono.defer(() -> judge(connection, arrival.proposal()))));
            })
        .retryWhen(Retry.indefinitely().filter(MaestroException.Transient.class::isInstance));
  }

  private static Mono<Void> unlessItFails(Connection connection, Mono<Void> talk) {
    return talk.doOnError(failure -> Doors.close(connection))
        .doOnCancel(() -> Doors.close(connection));
  }

  /** A peer that has not yet seen what this rank has comes again when it has. */
  private Mono<Void> judge(Connection connection, Proposal said) {
    if (mine.agrees(said)) {
      met.put(said.rank(), connection);
      return Mono.empty();
    }
    Proposal both = mine.with(said);
    return Mono.error(
        both.agrees(mine)
            ? new MaestroException.ConnectFailed("the peer is at an earlier meeting", null)
            : new Disagreement(both));
  }
}
