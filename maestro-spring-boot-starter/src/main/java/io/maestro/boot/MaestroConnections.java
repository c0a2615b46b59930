package io.maestro.boot;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.PathReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The connections of {@code maestro.connections.*}, by name. Any thread; nothing blocks.
 *
 * <p>One that connects does so when it is first asked for, is shared by all who ask, and is made
 * anew for who asks after it has ended. One that listens does so while the application runs.
 */
public final class MaestroConnections {
  /** How many are closed at a time. */
  private static final int CLOSING = 64;

  private final Maestro maestro;
  private final Map<String, MaestroProperties.Named> named;
  private final Map<String, Mono<Connection>> outgoing = new TreeMap<>();
  private final Map<String, Binding> bindings = new ConcurrentHashMap<>();
  private final Map<Connection, String> open = new ConcurrentHashMap<>();

  MaestroConnections(Maestro maestro, Map<String, MaestroProperties.Named> named) {
    this.maestro = maestro;
    this.named = new TreeMap<>(named);
    named.forEach(ConnectionRules::check);
    this.named.forEach(
        (name, settings) -> {
          if (!settings.connect().isEmpty()) {
            outgoing.put(name, shared(name, settings.connect()));
          }
        });
  }

  private Mono<Connection> shared(String name, List<String> addresses) {
    return Addresses.resolve(addresses)
        .flatMap(maestro::connect)
        .doOnNext(connection -> remember(name, connection))
        .cacheInvalidateIf(connection -> !maestro.connections().contains(connection));
  }

  private void remember(String name, Connection connection) {
    open.put(connection, name);
    connection.onClose().onErrorComplete().doFinally(signal -> open.remove(connection)).subscribe();
  }

  /** The names of all connections. */
  public Set<String> names() {
    return Set.copyOf(named.keySet());
  }

  /** Whether a connection of this name listens. */
  public boolean listens(String name) {
    return !settings(name).listen().isEmpty();
  }

  /**
   * The open connection to the peer of this name, made when there is none. Fails as {@link
   * Maestro#connect} does; the next subscriber tries again. Cancelling stops waiting.
   *
   * @throws IllegalArgumentException when no connection of this name connects; the message names
   *     those that do
   */
  public Mono<Connection> connection(String name) {
    Mono<Connection> connection = outgoing.get(name);
    if (connection == null) {
      throw new IllegalArgumentException(
          "maestro.connections.%s.connect is not set; there are: %s"
              .formatted(name, outgoing.keySet()));
    }
    return connection;
  }

  /**
   * What listens under this name: its addresses and, where no {@link MaestroListener} takes them,
   * the connections of its peers.
   *
   * @throws IllegalArgumentException when no connection of this name listens
   * @throws IllegalStateException when the application has not started yet, or has stopped
   */
  public Binding binding(String name) {
    if (!listens(name)) {
      throw new IllegalArgumentException(
          "maestro.connections.%s.listen is not set".formatted(name));
    }
    Binding binding = bindings.get(name);
    if (binding == null) {
      throw new IllegalStateException(
          "'%s' listens only while the application runs".formatted(name));
    }
    return binding;
  }

  /**
   * The name of a connection, on either side; empty when it was made in another way, or has ended.
   */
  public Optional<String> nameOf(Connection connection) {
    return Optional.ofNullable(open.get(connection)).or(() -> acceptedBy(connection));
  }

  private Optional<String> acceptedBy(Connection connection) {
    return bindings.entrySet().stream()
        .filter(each -> connection.paths().stream().anyMatch(path -> has(each.getValue(), path)))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static boolean has(Binding binding, PathReport path) {
    return binding.addresses().stream()
        .anyMatch(
            bound ->
                bound.getPort() == path.local().getPort()
                    && (bound.getAddress().isAnyLocalAddress()
                        || bound.getAddress().equals(path.local().getAddress())));
  }

  private MaestroProperties.Named settings(String name) {
    MaestroProperties.Named settings = named.get(name);
    if (settings == null) {
      throw new IllegalArgumentException(
          "there is no maestro.connections.%s; there are: %s".formatted(name, named.keySet()));
    }
    return settings;
  }

  /** Listens on all that is to be listened on, or on nothing. */
  Mono<Void> bind() {
    return Flux.fromIterable(named.entrySet())
        .filter(entry -> !entry.getValue().listen().isEmpty())
        .concatMap(entry -> bind(entry.getKey(), entry.getValue().listen()))
        .then()
        .onErrorResume(failure -> close().then(Mono.error(failure)));
  }

  private Mono<Binding> bind(String name, List<String> addresses) {
    return Addresses.resolve(addresses)
        .flatMap(maestro::bind)
        .doOnNext(binding -> bindings.put(name, binding))
        .onErrorMap(failure -> ConnectionRules.bindFailed(name, addresses, failure));
  }

  /** Stops listening and ends all connections in order. */
  Mono<Void> close() {
    return Mono.defer(
        () -> {
          Flux<Mono<Void>> all =
              Flux.fromIterable(List.copyOf(bindings.values()))
                  .map(Binding::close)
                  .concatWith(Flux.fromIterable(List.copyOf(open.keySet())).map(Connection::close));
          bindings.clear();
          return all.flatMapDelayError(closing -> closing, CLOSING, 1).then();
        });
  }
}
