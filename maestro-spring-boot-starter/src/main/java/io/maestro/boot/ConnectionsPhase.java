package io.maestro.boot;

import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Listens while the application runs. Stops with the web server, after its requests and the
 * listener methods, which may all be sending, have had their time.
 */
final class ConnectionsPhase extends Phase {
  /** That in which Spring Boot's web servers start and stop. */
  static final int PHASE = DEFAULT_PHASE - 2048;

  /** Beyond the time that each connection takes by itself. */
  private static final Duration SLACK = Duration.ofSeconds(1);

  private final MaestroConnections connections;

  ConnectionsPhase(MaestroConnections connections, Duration close) {
    super("maestro connections", PHASE, close.plus(SLACK));
    this.connections = connections;
  }

  /** Waits: an application that cannot listen must not start. */
  @Override
  void begin() {
    connections.bind().block();
  }

  @Override
  Mono<Void> end() {
    return connections.close();
  }
}
