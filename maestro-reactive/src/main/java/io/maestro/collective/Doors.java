package io.maestro.collective;

import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.Region;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** The addresses of all ranks: connects to others, and takes those that connect here. */
final class Doors {

  /** How long a connection may take to say who it is. */
  private static final Duration SAY_LIMIT = Duration.ofSeconds(10);

  private final List<List<InetSocketAddress>> addresses;
  private final Function<InetSocketAddress[], Mono<Connection>> connect;
  private final Arrivals arrivals = new Arrivals();

  Doors(
      List<List<InetSocketAddress>> addresses,
      Function<InetSocketAddress[], Mono<Connection>> connect) {
    this.addresses = addresses.stream().map(List::copyOf).toList();
    this.connect = connect;
  }

  int ranks() {
    return addresses.size();
  }

  Arrivals arrivals() {
    return arrivals;
  }

  /** Takes the connections of a binding from now on; who says nothing or nonsense is sent away. */
  void welcome(Binding binding) {
    binding
        .connections()
        .subscribe(
            connection ->
                listen(connection)
                    .timeout(SAY_LIMIT)
                    .subscribe(
                        said -> arrivals.add(new Arrivals.Arrival(connection, said)),
                        failure -> close(connection)));
  }

  Mono<Connection> connect(int rank) {
    return connect.apply(addresses.get(rank).toArray(InetSocketAddress[]::new));
  }

  /** Completes when the peer has what this rank proposes. */
  static Mono<Void> say(Connection connection, Proposal proposal) {
    return Mono.using(proposal::encode, connection::send, Region::release);
  }

  /** What the peer proposes: one message, so that others wait for who receives next. */
  Mono<Proposal> listen(Connection connection) {
    return connection
        .receive()
        .take(1)
        .next()
        .switchIfEmpty(Mono.error(Doors::closed))
        .map(this::read);
  }

  private static MaestroException closed() {
    return new MaestroException.ConnectFailed("the peer closed before it said who it is", null);
  }

  private Proposal read(Message message) {
    try (message) {
      return Proposal.decode(message.data(), ranks());
    }
  }

  static void close(Connection connection) {
    connection.close().subscribe();
  }
}
