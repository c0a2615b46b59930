package io.maestro.boot;

import io.maestro.api.Connection;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.api.SendOptions;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sends and receives over named connections, which are made when they are needed. Any thread;
 * nothing blocks. Publishers are cold; errors are those of {@link Connection} and of {@link
 * MaestroConnections#connection}.
 */
public class MaestroTemplate {
  private final MaestroConnections connections;

  /** A template over the connections of the application. */
  public MaestroTemplate(MaestroConnections connections) {
    this.connections = connections;
  }

  /** Sends a region, which stays the caller's; see {@link Connection#send(Region)}. */
  public Mono<Void> send(String connection, Region message) {
    return send(connection, message, SendOptions.DEFAULT);
  }

  /** Sends a region, which stays the caller's; see {@link Connection#send(Region, SendOptions)}. */
  public Mono<Void> send(String connection, Region message, SendOptions options) {
    return connections.connection(connection).flatMap(open -> open.send(message, options));
  }

  /** Sends and releases each region; see {@link Connection#send(Publisher)}. */
  public Mono<Void> send(String connection, Publisher<Region> messages) {
    return connections.connection(connection).flatMap(open -> open.send(messages));
  }

  /** Sends a copy of the bytes, which is taken at each subscription. */
  public Mono<Void> send(String connection, byte[] message) {
    return Mono.using(() -> copy(message), region -> send(connection, region), Region::release);
  }

  /** Sends a text as UTF-8. */
  public Mono<Void> send(String connection, String message) {
    return Mono.defer(() -> send(connection, message.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * The messages that come in over a connection that connects; each is the subscriber's to close.
   * Ends with the connection. Not to be used where a {@link MaestroListener} takes them.
   */
  public Flux<Message> receive(String connection) {
    return execute(connection, Connection::receive);
  }

  /** Does with an open connection what the template has no method for. */
  public <T> Flux<T> execute(
      String connection, Function<Connection, ? extends Publisher<T>> action) {
    return connections.connection(connection).flatMapMany(action);
  }

  private static Region copy(byte[] bytes) {
    Region region = Region.allocate(bytes.length);
    region.segment().copyFrom(MemorySegment.ofArray(bytes));
    return region;
  }
}
