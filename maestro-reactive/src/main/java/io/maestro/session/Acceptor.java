package io.maestro.session;

import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.verbs.ConnectionRequest;
import io.maestro.verbs.ListenOptions;
import io.maestro.verbs.Listener;
import io.maestro.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.concurrent.Queues;

/** Listens, authenticates, and hands out the sessions of peers that proved who they are. */
final class Acceptor implements Binding {
  /** Connections that may wait for a subscriber, and sessions that may be without a proof. */
  private static final int BACKLOG = 1024;

  private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

  private final Endpoint endpoint;
  private final ServerHandshake handshake;
  private final List<Listener> listeners = new ArrayList<>();
  private final Map<SessionId, Accepted> sessions = new ConcurrentHashMap<>();
  private final Sinks.Many<Connection> connections =
      Sinks.many().unicast().onBackpressureBuffer(Queues.<Connection>get(BACKLOG).get());

  private Acceptor(Endpoint endpoint) {
    this.endpoint = endpoint;
    this.handshake =
        new ServerHandshake(
            endpoint.config().security().secret(),
            endpoint.name(),
            endpoint.offer(),
            endpoint.random());
  }

  static Acceptor bind(Endpoint endpoint, List<InetSocketAddress> addresses) {
    Acceptor acceptor = new Acceptor(endpoint);
    try {
      for (InetSocketAddress address : addresses) {
        acceptor.listeners.add(
            endpoint.device().listen(ListenOptions.at(address), acceptor::onRequest));
      }
    } catch (VerbsException failure) {
      acceptor.listeners.forEach(Listener::close);
      throw Failures.translate("cannot listen", failure);
    }
    return acceptor;
  }

  @Override
  public List<InetSocketAddress> addresses() {
    return listeners.stream().map(Listener::local).toList();
  }

  @Override
  public Flux<Connection> connections() {
    return connections.asFlux().publishOn(endpoint.delivery());
  }

  @Override
  public Mono<Void> close() {
    return Mono.defer(
        () -> {
          listeners.forEach(Listener::close);
          synchronized (connections) {
            connections.tryEmitComplete();
          }
          return Flux.fromIterable(sessions.values()).flatMap(Accepted::close, 16).then();
        });
  }

  private void onRequest(ConnectionRequest request) {
    try {
      switch (SessionKeys.kindOf(request.privateData())) {
        case CONNECT -> onConnect(request);
        case JOIN -> onJoin(request, SessionKeys.sessionOf(request.privateData()), Accepted::join);
        case METER ->
            onJoin(request, SessionKeys.sessionOfMeter(request.privateData()), Accepted::measure);
        case UNKNOWN -> reject(request, "this is a Maestro server; the peer speaks something else");
      }
    } catch (HandshakeException refused) {
      reject(request, String.valueOf(refused.getMessage()));
    }
  }

  private static void reject(ConnectionRequest request, String reason) {
    LOG.warn("refused a connection from {}: {}", request.remote(), reason);
    request.reject(ByteBuffer.wrap(reason.getBytes(StandardCharsets.UTF_8)));
  }

  private void onConnect(ConnectionRequest request) {
    if (sessions.values().stream().filter(s -> !s.confirmed()).limit(BACKLOG).count() == BACKLOG) {
      reject(request, "too many sessions are being opened; try again later");
      return;
    }
    ServerAccept accept = handshake.onConnect(request.privateData());
    Accepted accepted = new Accepted(endpoint, this, accept.keys(), request.remote());
    sessions.put(accept.keys().id(), accepted);
    accepted.start(request, accept.accept());
  }

  private void onJoin(
      ConnectionRequest request, SessionId id, BiConsumer<Accepted, ConnectionRequest> how) {
    Accepted accepted = sessions.get(id);
    if (accepted == null) {
      reject(request, "the session is gone; connect anew");
    } else {
      how.accept(accepted, request);
    }
  }

  /** A session has been confirmed. */
  void offer(Connection connection, Session session) {
    Sinks.EmitResult result;
    synchronized (connections) {
      result = connections.tryEmitNext(connection);
    }
    if (result.isFailure()) {
      LOG.warn("closed a connection from {}: nobody takes it ({})", connection.peer(), result);
      session.end(
          new MaestroException.Refused("no subscriber takes connections here: " + result, null));
    }
  }

  void remove(SessionId id) {
    sessions.remove(id);
  }
}
