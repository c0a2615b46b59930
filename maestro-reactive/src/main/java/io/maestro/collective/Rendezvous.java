package io.maestro.collective;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import java.util.List;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Where ranks find one another: {@link AddressList} when all know the addresses of all, or one's
 * own, such as a registry of a cluster.
 */
public interface Rendezvous {

  /**
   * Meets the others. Each rank calls it at about the same time; it waits for those that come
   * later. Called again to go on without ranks that are gone.
   *
   * <p>All that meet must get the same round and members: when they start from different ones, they
   * go on with the highest round and without all ranks that one of them takes for gone.
   *
   * <p>Fails with a {@link MaestroException}: {@code DeadlineExceeded} names the ranks that did not
   * come to a first meeting, {@code Rejected} when the others go on without this rank. Cancelling
   * gives up and closes the connections that were made.
   *
   * @param round 0 at first, and then higher than that of the meeting before
   * @param gone ranks that are not waited for
   */
  Mono<Meeting> meet(int round, Set<Integer> gone);

  /**
   * Who has met.
   *
   * @param round the same on all
   * @param members the ranks that take part, ascending
   * @param place of this rank in {@code members}
   * @param others a connection with each other member in their order, which nobody receives on;
   *     they belong to whoever gets the meeting
   */
  record Meeting(int round, List<Integer> members, int place, List<Connection> others) {

    /** Copies the lists. */
    public Meeting {
      members = List.copyOf(members);
      others = List.copyOf(others);
      if (others.size() != members.size() - 1 || place < 0 || place >= members.size()) {
        throw new IllegalArgumentException(
            "%d connections and place %d do not fit %d members"
                .formatted(others.size(), place, members.size()));
      }
    }
  }
}
