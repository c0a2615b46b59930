package io.maestro.collective;

import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A rendezvous of ranks that know the addresses of all. Each listens at its own and connects to
 * those of lower ranks, as often as it takes until they are there.
 *
 * <p>Ranks that do not come to a first meeting make it fail. Those that do not come to a later one
 * are taken for gone, so when the network falls into parts, each part goes on for itself: an
 * application that must not do so looks at {@link Communicator#size()}.
 */
public final class AddressList implements Rendezvous {

  /** How long ranks are waited for unless told otherwise. */
  public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(30);

  private final int rank;
  private final Duration limit;
  private final Scheduler timer;
  private final Doors doors;

  private AddressList(int rank, Duration limit, Scheduler timer, Doors doors) {
    this.rank = rank;
    this.limit = limit;
    this.timer = timer;
    this.doors = doors;
  }

  /**
   * The rendezvous of one rank, with {@link #DEFAULT_LIMIT}. Takes the connections of the binding
   * from now on, for itself alone; neither it nor what it is made of is closed by this.
   *
   * @param rank from 0 to the number of addresses
   * @param addresses of each rank, in their order: one or more, typically one for each virtual NIC
   * @param binding where this rank listens
   * @param connect such as {@code maestro::connect}
   */
  public static AddressList of(
      int rank,
      List<List<InetSocketAddress>> addresses,
      Binding binding,
      Function<InetSocketAddress[], Mono<Connection>> connect) {
    Objects.checkIndex(rank, addresses.size());
    Doors doors = new Doors(addresses, connect);
    doors.welcome(binding);
    return new AddressList(rank, DEFAULT_LIMIT, Schedulers.parallel(), doors);
  }

  /**
   * The same with another limit.
   *
   * @param newLimit how long ranks are waited for
   * @param newTimer where that is watched
   */
  public AddressList within(Duration newLimit, Scheduler newTimer) {
    return new AddressList(rank, newLimit, newTimer, doors);
  }

  @Override
  public Mono<Meeting> meet(int round, Set<Integer> gone) {
    return Mono.defer(
        () -> {
          BitSet bits = new BitSet();
          gone.forEach(bits::set);
          return attempt(new Proposal(rank, round, bits));
        });
  }

  private Mono<Meeting> attempt(Proposal proposal) {
    if (proposal.gone().get(rank)) {
      return Mono.error(
          new MaestroException.Rejected(
              "taken-for-gone",
              "the others go on without rank %d: it came too late or was out of reach"
                  .formatted(rank)));
    }
    Gathering gathering = new Gathering(doors, proposal, timer);
    return gathering
        .meet()
        .timeout(limit, Mono.defer(() -> tooLate(gathering)), timer)
        .onErrorResume(Disagreement.class, other -> attempt(other.proposal()));
  }

  private Mono<Meeting> tooLate(Gathering gathering) {
    BitSet missing = gathering.missing();
    Proposal proposal = gathering.proposal();
    if (proposal.round() == 0) {
      return Mono.error(
          new MaestroException.DeadlineExceeded(
              "ranks %s did not come within %s: see that they run, and that all have the same addresses"
                  .formatted(missing, limit)));
    }
    return attempt(proposal.with(new Proposal(rank, proposal.round(), missing)));
  }
}
