package io.maestro.api;

import java.net.InetSocketAddress;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A listening server. Any thread; nothing blocks. */
public interface Binding {

  /** The bound addresses, with their real ports. */
  List<InetSocketAddress> addresses();

  /**
   * The authenticated incoming connections, to one subscriber. Connections for which there is no
   * demand wait, up to the configured backlog; further ones are refused.
   */
  Flux<Connection> connections();

  /** Stops listening and closes the connections that were accepted here. */
  Mono<Void> close();
}
