package io.maestro.trainer.sync;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A parameter server for one shard over plain TCP, one virtual thread for each worker. */
final class SocketServer implements SyncServer {

  /** A worker's next words: gradients follow, or it leaves. */
  static final long LEAVE = -1;

  /** The server's answer when what was asked for follows; otherwise a text follows. */
  static final long OK = 0;

  static final long REFUSED = 1;

  private final ServerSocketChannel listener;
  private final InetSocketAddress address;
  private final ParameterBoard board;
  private final JobSpec job;
  private final Shard shard;
  private final String secret;
  private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();

  private SocketServer(
      ServerSocketChannel listener, ParameterBoard board, JobSpec job, ServerOptions options)
      throws IOException {
    this.address = (InetSocketAddress) listener.getLocalAddress();
    this.listener = listener;
    this.board = board;
    this.job = job;
    this.shard = job.shard(options.index());
    this.secret = options.secret();
  }

  /**
   * Starts to listen.
   *
   * @param initial the initial parameters of the server's shard, changed in place
   * @throws SyncException when the address cannot be listened on
   */
  public static SocketServer start(
      JobSpec job, ServerOptions options, MemorySegment initial, Sgd sgd) {
    try {
      ServerSocketChannel listener = ServerSocketChannel.open().bind(options.listen());
      var board = new ParameterBoard(initial, sgd, job.workers(), options.elastic());
      var server = new SocketServer(listener, board, job, options);
      Thread.ofVirtual().name("accept").start(server::accept);
      return server;
    } catch (IOException e) {
      throw new SyncException(
          "cannot listen on %s: %s".formatted(options.listen(), e.getMessage()), e);
    }
  }

  @Override
  public String address() {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  @Override
  public Mono<Void> finished() {
    return board.finished();
  }

  @Override
  public void close() {
    closeQuietly(listener);
    connections.forEach(SocketServer::closeQuietly);
  }

  private void accept() {
    try {
      while (listener.isOpen()) {
        SocketChannel connection = listener.accept();
        connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
        connections.add(connection);
        Thread.ofVirtual().name("worker").start(() -> serve(connection));
      }
    } catch (IOException e) {
      // Closed: that is how a server ends.
      closeQuietly(listener);
    }
  }

  private void serve(SocketChannel connection) {
    try {
      Wire wire = new Wire(connection);
      int rank = admit(wire);
      if (rank >= 0) {
        serve(wire, rank);
      }
    } catch (IOException e) {
      // Of a peer that never joined nobody needs to hear.
    } finally {
      connections.remove(connection);
      closeQuietly(connection);
    }
  }

  /** The rank of the worker, or -1 when it was refused. */
  private int admit(Wire wire) throws IOException {
    byte[] nonce = new byte[Wire.NONCE_BYTES];
    new SecureRandom().nextBytes(nonce);
    wire.writeBytes(nonce);
    byte[] proof = wire.readBytes(Wire.PROOF_BYTES);
    // All is read before the answer: closing over unread bytes resets the connection and loses it.
    int rank = (int) wire.readLong();
    String theirs = wire.readText();
    if (!MessageDigest.isEqual(proof, Wire.proof(secret, nonce))) {
      refuse(wire, "the secrets differ");
      return -1;
    }
    if (rank < 0 || rank >= job.workers() || !theirs.equals(job.describe())) {
      refuse(
          wire,
          "worker %d (%s) does not fit this server (%s)".formatted(rank, theirs, job.describe()));
      return -1;
    }
    return rank;
  }

  private void serve(Wire wire, int rank) {
    @Nullable Throwable cause = null;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment gradients = arena.allocate(shard.bytes());
      answer(wire, board.join(rank));
      for (long step = wire.readLong(); step != LEAVE; step = wire.readLong()) {
        wire.readSegment(gradients);
        answer(wire, board.push(rank, step, gradients));
      }
    } catch (IOException | SyncException e) {
      cause = e;
    } finally {
      board.leave(rank, cause);
    }
  }

  private void answer(Wire wire, Mono<Void> turn) throws IOException {
    try {
      turn.block();
    } catch (SyncException e) {
      refuse(wire, String.valueOf(e.getMessage()));
      throw e;
    }
    wire.writeLong(OK);
    wire.writeSegment(board.parameters());
  }

  private static void refuse(Wire wire, String reason) throws IOException {
    wire.writeLong(REFUSED);
    wire.writeText(reason);
  }

  private static void closeQuietly(Channel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing is left to be done with it.
    }
  }
}
