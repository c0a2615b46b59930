package io.maestro.boot;

import io.maestro.api.Connection;
import io.maestro.api.Message;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Gives the messages of one named connection to one method, from its start to its stop. */
final class ListenerContainer {
  /** Most peers whose messages are taken at once; further ones wait. */
  private static final int MOST_PEERS = 1024;

  /** Between two attempts to get a connection back. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(MaestroListener.class);

  private final ListenerMethod method;
  private final MaestroConnections connections;
  private final MaestroListenerErrorHandler errors;
  private final Sinks.Empty<Void> stop = Sinks.empty();
  private final Sinks.Empty<Void> stopped = Sinks.empty();
  private volatile boolean stopping;

  ListenerContainer(
      ListenerMethod method, MaestroConnections connections, MaestroListenerErrorHandler errors) {
    this.method = method;
    this.connections = connections;
    this.errors = errors;
  }

  /** Begins to take messages. */
  void start() {
    messages()
        .doOnError(broken -> LOG.error("{} gets no more messages", method, broken))
        .onErrorComplete()
        .doFinally(signal -> stopped.tryEmitEmpty())
        .subscribe();
  }

  /** Takes no more messages; completes when those in the method have been dealt with. */
  Mono<Void> stop() {
    return Mono.defer(
        () -> {
          stopping = true;
          stop.tryEmitEmpty();
          return stopped.asMono();
        });
  }

  private Flux<Void> messages() {
    if (connections.listens(method.connection())) {
      return connections
          .binding(method.connection())
          .connections()
          .takeUntilOther(stop.asMono())
          .flatMap(this::peer, MOST_PEERS, 1);
    }
    return connections
        .connection(method.connection())
        .takeUntilOther(stop.asMono())
        .flatMapMany(this::messages)
        .onErrorResume(this::away)
        .repeatWhen(ends -> ends.takeWhile(end -> !stopping).concatMap(this::pause, 1));
  }

  /** A peer that is away is asked again, until the stop. */
  private Mono<Long> pause(long end) {
    return Mono.delay(PAUSE).takeUntilOther(stop.asMono()).thenReturn(end);
  }

  private Flux<Void> away(Throwable failure) {
    LOG.warn("{} has no connection, and tries again: {}", method, failure.getMessage());
    return Flux.empty();
  }

  private Flux<Void> peer(Connection peer) {
    return messages(peer)
        .doOnComplete(() -> ended(peer, "it was closed"))
        .onErrorResume(
            lost -> {
              ended(peer, lost.getMessage());
              return Flux.empty();
            });
  }

  private void ended(Connection peer, @Nullable String why) {
    if (!stopping) {
      LOG.info("the connection of {} to {} has ended: {}", method, peer.peer(), why);
    }
  }

  private Flux<Void> messages(Connection connection) {
    return connection
        .receive()
        .takeUntilOther(stop.asMono())
        .flatMap(message -> handle(connection, message), method.concurrency(), 1)
        .doOnDiscard(Message.class, Message::close);
  }

  private Mono<Void> handle(Connection connection, Message message) {
    return Mono.using(
            () -> message,
            given ->
                method.call(connection, given).onErrorResume(e -> failed(connection, given, e)),
            Message::close)
        .onErrorResume(
            e -> {
              LOG.error("the error handler of {} has failed", method, e);
              return Mono.empty();
            });
  }

  private Mono<Void> failed(Connection connection, Message message, Throwable cause) {
    return Mono.defer(
        () ->
            errors.handle(
                new MaestroListenerErrorHandler.Failure(
                    method.toString(), connection, message, cause)));
  }

  /** What is done where the application has no handler. */
  static Mono<Void> log(MaestroListenerErrorHandler.Failure failure) {
    LOG.error(
        "{} failed on message {} ({} bytes) of {}",
        failure.listener(),
        failure.message().sequence(),
        failure.message().size(),
        failure.connection().peer(),
        failure.cause());
    return Mono.empty();
  }
}
