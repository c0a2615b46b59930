package io.maestro.boot;

import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Takes messages while the application runs; stops while a web server drains its requests. */
final class ListenersPhase extends Phase {
  /** That in which Spring Boot's web servers drain. */
  static final int PHASE = DEFAULT_PHASE - 1024;

  private final ListenerMethods methods;
  private final MaestroConnections connections;
  private final MaestroListenerErrorHandler errors;
  private volatile List<ListenerContainer> containers = List.of();

  ListenersPhase(
      ListenerMethods methods,
      MaestroConnections connections,
      MaestroListenerErrorHandler errors,
      Duration drain) {
    super("maestro listeners", PHASE, drain);
    this.methods = methods;
    this.connections = connections;
    this.errors = errors;
  }

  @Override
  void begin() {
    methods.all().forEach(this::check);
    containers =
        methods.all().stream()
            .map(method -> new ListenerContainer(method, connections, errors))
            .toList();
    containers.forEach(ListenerContainer::start);
  }

  private void check(ListenerMethod method) {
    if (!connections.names().contains(method.connection())) {
      throw MaestroStartException.of(
          "%s takes the messages of '%s', and there is no such connection; there are: %s."
              .formatted(method, method.connection(), connections.names()),
          "Set maestro.connections.%1$s.listen or maestro.connections.%1$s.connect."
              .formatted(method.connection()));
    }
  }

  @Override
  Mono<Void> end() {
    List<ListenerContainer> stopping = containers;
    containers = List.of();
    return Flux.merge(stopping.stream().map(ListenerContainer::stop).toList()).then();
  }
}
