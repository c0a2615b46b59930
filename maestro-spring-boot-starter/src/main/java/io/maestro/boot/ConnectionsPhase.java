package io.maestro.boot;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
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
  private volatile CountDownLatch running = new CountDownLatch(0);

  ConnectionsPhase(MaestroConnections connections, Duration close) {
    super("maestro connections", PHASE, close.plus(SLACK));
    this.connections = connections;
  }

  /** Waits: an application that cannot listen must not start. */
  @Override
  void begin() {
    connections.bind().block();
    if (connections.names().stream().anyMatch(connections::listens)) {
      keepAlive();
    }
  }

  /** The event loops are daemons: without this, what only listens would end once it has started. */
  private void keepAlive() {
    CountDownLatch ended = new CountDownLatch(1);
    running = ended;
    Thread.ofPlatform().name("maestro-keep-alive").daemon(false).start(() -> await(ended));
  }

  private static void await(CountDownLatch ended) {
    try {
      ended.await();
    } catch (InterruptedException told) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  Mono<Void> end() {
    return connections.close().doFinally(signal -> running.countDown());
  }
}
