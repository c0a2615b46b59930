package io.maestro.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Two open devices, and what the tests of the contract do with them again and again. */
final class ContractFixture implements AutoCloseable {
  static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);
  static final int SEND_DEPTH = 64;
  static final int RECV_DEPTH = 64;
  static final int READ_DEPTH = 8;

  /** Both ends of one connection. */
  record Pair(RecordingHandler client, RecordingHandler server) {}

  final Device client;
  final Device server;
  final ProtectionDomain clientDomain;
  final ProtectionDomain serverDomain;
  final Arena arena = Arena.ofShared();
  private final ContractHost host;
  private final List<RecordingHandler> handlers = new ArrayList<>();

  ContractFixture(ContractHost host) {
    this.host = host;
    client = host.provider().open(new DeviceOptions(2, false, false));
    server = host.provider().open(DeviceOptions.defaults());
    clientDomain = client.allocateDomain();
    serverDomain = server.allocateDomain();
  }

  RecordingHandler handler() {
    RecordingHandler handler = new RecordingHandler();
    handlers.add(handler);
    return handler;
  }

  InetAddress address(int index) {
    return host.address(index);
  }

  InetAddress unavailableAddress() {
    return host.unavailableAddress();
  }

  InetSocketAddress any(int index) {
    return new InetSocketAddress(host.address(index), 0);
  }

  QpOptions clientQp() {
    return new QpOptions(
        clientDomain, client.loops().getFirst(), SEND_DEPTH, RECV_DEPTH, READ_DEPTH);
  }

  QpOptions serverQp() {
    return new QpOptions(
        serverDomain, server.loops().getFirst(), SEND_DEPTH, RECV_DEPTH, READ_DEPTH);
  }

  ConnectOptions to(InetSocketAddress remote) {
    return new ConnectOptions(any(0), remote, clientQp(), NO_DATA, ContractHost.DEADLINE.toNanos());
  }

  /** Listens on the server's address and accepts each peer with the next handler. */
  Listener accepting(QpOptions options, Supplier<RecordingHandler> next) {
    return server.listen(
        ListenOptions.at(any(1)), request -> request.accept(options, NO_DATA, next.get()));
  }

  Pair connect() {
    return connect(handler(), handler());
  }

  Pair connect(RecordingHandler active, RecordingHandler passive) {
    return connect(clientQp(), serverQp(), new Pair(active, passive));
  }

  Pair connect(QpOptions activeQp, QpOptions passiveQp, Pair pair) {
    try (Listener listener = accepting(passiveQp, pair::server)) {
      client.connect(
          new ConnectOptions(
              any(0), listener.local(), activeQp, NO_DATA, ContractHost.DEADLINE.toNanos()),
          pair.client());
      await(
          "both ends are established",
          () -> pair.client().isEstablished() && pair.server().isEstablished());
    }
    return pair;
  }

  MemoryRegion clientRegion(long bytes) {
    return clientDomain.register(arena.allocate(bytes), EnumSet.allOf(Access.class));
  }

  MemoryRegion serverRegion(long bytes) {
    return serverDomain.register(arena.allocate(bytes), EnumSet.allOf(Access.class));
  }

  /** Zeroes that take no memory until they are written. */
  MemorySegment sparse(long bytes) {
    try {
      Path file = Files.createTempFile("contract", ".sparse");
      try (FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE)) {
        return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs an action on the loop of a queue pair, rings the doorbell, and returns its result. */
  <T> T on(RecordingHandler end, Function<QueuePair, T> action) {
    return on(
        end.qp().loop(),
        () -> {
          T result = action.apply(end.qp());
          end.qp().flush();
          return result;
        });
  }

  void run(RecordingHandler end, Consumer<QueuePair> action) {
    on(
        end,
        qp -> {
          action.accept(qp);
          return qp;
        });
  }

  <T> T on(EventLoop loop, Supplier<T> action) {
    CompletableFuture<T> result = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            result.complete(action.get());
          } catch (RuntimeException | AssertionError e) {
            result.completeExceptionally(e);
          }
          Pulse.beat();
        });
    await("the task has run", result::isDone);
    try {
      return result.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  void await(String what, BooleanSupplier condition) {
    host.await(condition, ContractHost.DEADLINE);
    assertThat(condition.getAsBoolean())
        .as("within %s: %s; closed: %s", ContractHost.DEADLINE, what, causes())
        .isTrue();
  }

  /** Waits for a SEND to make the way from one end to the other: all that was before has come. */
  void roundTrip(RecordingHandler from, RecordingHandler to) {
    try (MemoryRegion here = regionOf(from);
        MemoryRegion there = regionOf(to)) {
      int sentBefore = from.count();
      int receivedBefore = to.count();
      run(to, qp -> assertThat(qp.postRecv(-1, there, 0, 1)).isTrue());
      run(from, qp -> assertThat(qp.postSend(-1, here, 0, 1)).isTrue());
      await("the SEND arrives", () -> to.count() > receivedBefore);
      assertThat(to.completions().getLast())
          .isEqualTo(RecordingHandler.Wc.success(-1, WcOpcode.RECV, 1));
      await("the SEND completes", () -> from.count() > sentBefore);
    }
  }

  private MemoryRegion regionOf(RecordingHandler end) {
    boolean ofClient = client.loops().contains(end.qp().loop());
    return ofClient ? clientRegion(1) : serverRegion(1);
  }

  private List<VerbsException> causes() {
    return handlers.stream()
        .filter(RecordingHandler::isClosed)
        .map(RecordingHandler::cause)
        .toList();
  }

  /** Closes everything, and fails when a handler was ever called out of turn. */
  @Override
  public void close() {
    client.close();
    server.close();
    clientDomain.close();
    serverDomain.close();
    arena.close();
    for (RecordingHandler handler : handlers) {
      assertThat(handler.breaches()).isEmpty();
      assertThat(handler.isClosed() || !handler.isCreated())
          .as("every queue pair ends with its device")
          .isTrue();
    }
  }
}
