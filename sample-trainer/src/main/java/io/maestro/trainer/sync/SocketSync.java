package io.maestro.trainer.sync;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A worker's connections over plain TCP, one to each server's shard. */
final class SocketSync implements GradientSync {

  private final int rank;
  private final List<InetSocketAddress> servers;
  private final String secret;
  private final List<Connection> connections = new ArrayList<>();
  private final Scheduler threads = Schedulers.newBoundedElastic(64, 64, "sync");
  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();

  /**
   * Connects at {@link #register}.
   *
   * @param servers in the order of their shards
   */
  public SocketSync(int rank, List<InetSocketAddress> servers, String secret) {
    this.rank = rank;
    this.servers = List.copyOf(servers);
    this.secret = secret;
  }

  /** One server's connection and the part of the vector it holds. */
  private record Connection(Wire wire, SocketChannel channel, Shard shard, String server) {}

  /** Talks to one server. */
  @FunctionalInterface
  private interface Exchange {
    void run(Connection connection) throws IOException;
  }

  @Override
  public Mono<Void> register(JobSpec job, MemorySegment parameters) {
    return Mono.<Void>fromRunnable(
            () -> {
              for (int i = 0; i < servers.size(); i++) {
                connections.add(connect(servers.get(i), job.shard(i)));
              }
            })
        .subscribeOn(threads)
        .then(
            withEach(
                connection -> {
                  byte[] nonce = connection.wire().readBytes(Wire.NONCE_BYTES);
                  connection.wire().writeBytes(Wire.proof(secret, nonce));
                  connection.wire().writeLong(rank);
                  connection.wire().writeText(job.describe());
                  receive(connection, parameters);
                }));
  }

  @Override
  public Mono<Void> pushPull(long step, MemorySegment gradients, MemorySegment parameters) {
    return withEach(
        connection -> {
          connection.wire().writeLong(step);
          connection.wire().writeSegment(connection.shard().of(gradients));
          sent.add(connection.shard().bytes());
          receive(connection, parameters);
        });
  }

  @Override
  public SyncStats stats() {
    var path = new SyncStats.PathBytes(0, sent.sum() + received.sum());
    return new SyncStats(sent.sum(), received.sum(), List.of(path), 0);
  }

  @Override
  public void close() {
    for (Connection connection : connections) {
      try (SocketChannel channel = connection.channel()) {
        if (channel.isOpen()) {
          connection.wire().writeLong(SocketServer.LEAVE);
        }
      } catch (IOException e) {
        // The server is gone: there is nobody to take leave of.
      }
    }
    threads.dispose();
  }

  private static Connection connect(InetSocketAddress server, Shard shard) {
    try {
      SocketChannel channel = SocketChannel.open(server);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      return new Connection(new Wire(channel), channel, shard, server.toString());
    } catch (IOException e) {
      throw lost(server.toString(), e);
    }
  }

  /** Runs an exchange with every server at once; the first failure ends the others. */
  private Mono<Void> withEach(Exchange exchange) {
    return Flux.defer(() -> Flux.fromIterable(connections))
        .flatMap(
            connection ->
                Mono.fromCallable(() -> failure(exchange, connection)).subscribeOn(threads))
        .next()
        .flatMap(failure -> Mono.<Void>error(failure));
  }

  private static @Nullable SyncException failure(Exchange exchange, Connection connection) {
    try {
      exchange.run(connection);
      return null;
    } catch (IOException e) {
      return lost(connection.server(), e);
    } catch (SyncException e) {
      return e;
    }
  }

  private static SyncException lost(String server, Exception cause) {
    return new SyncException(
        "the parameter server at %s is gone: %s".formatted(server, cause.getMessage()), cause);
  }

  private void receive(Connection connection, MemorySegment parameters) throws IOException {
    if (connection.wire().readLong() != SocketServer.OK) {
      throw new SyncException(connection.wire().readText(), null);
    }
    connection.wire().readSegment(connection.shard().of(parameters));
    received.add(connection.shard().bytes());
  }
}
