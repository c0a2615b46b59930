package io.maestro.ps;

import io.maestro.api.Connection;
import io.maestro.api.Message;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps a share of a model's parameters, applies the workers' gradients to them and gives them out.
 * What it keeps follows from the tensors that the first worker describes; the others must describe
 * the same.
 *
 * <p>Nothing blocks. Messages are handled, and updates run, on {@link PsConfig#scheduler()}.
 * Received gradients are held in place until they have been applied. Connections stay the caller's:
 * closing the server ends its receiving from them but does not close them.
 */
public final class ParameterServer {

  /** Connections without a worker that greets are cheap; this bounds how many are taken. */
  private static final int MAX_CONNECTIONS = 4096;

  private final ServerCounters counters = new ServerCounters();
  private final Mailbox mailbox;
  private final Coordinator coordinator;
  private final Acceptor acceptor = new Acceptor();

  private ParameterServer(PsConfig config, ShardUpdate update) {
    mailbox = new Mailbox(config.scheduler(), this::failed);
    ShardHost host =
        new ShardHost(
            config,
            update,
            mailbox,
            ranks -> coordinator().describe(ranks),
            this::failed,
            counters.updates());
    coordinator = new Coordinator(host, counters);
  }

  /**
   * Starts a server on the connections that come in, such as those of a binding. Each is used from
   * the moment it arrives.
   *
   * @throws IllegalArgumentException when the update cannot work with the consistency
   */
  public static ParameterServer start(
      Flux<Connection> connections, PsConfig config, ShardUpdate update) {
    boolean stale = config.consistency() instanceof Consistency.BoundedStaleness;
    if (stale && !update.usesParameters()) {
      throw new IllegalArgumentException(
          "with bounded staleness an update that ignores the parameters loses gradients; use a"
              + " synchronous server or an update such as ShardUpdate.sgd");
    }
    ParameterServer server = new ParameterServer(config, update);
    connections.subscribe(server.acceptor);
    return server;
  }

  /**
   * Completes when the job has started and its last worker has left in order, or when the server
   * was closed. Fails with {@link io.maestro.api.MaestroException.MemberLost} when a worker of a
   * strict job was lost, with what the update threw, or with the failure of the connections'
   * source. An elastic server goes on after this has completed.
   */
  public Mono<Void> finished() {
    return coordinator.finished();
  }

  /** What was done so far; any thread. */
  public Statistics statistics() {
    return counters.read();
  }

  /**
   * Takes no more connections, answers every waiting call with an error and gives the memory back
   * as soon as no update and no answer under way uses it. Completes when nothing more is received.
   * Cancelling does not undo it.
   */
  public Mono<Void> close() {
    return Mono.create(
        sink -> {
          acceptor.cancel();
          mailbox.execute(
              () -> {
                coordinator.close();
                sink.success();
              });
        });
  }

  private Coordinator coordinator() {
    return coordinator;
  }

  private void failed(Throwable cause) {
    mailbox.execute(() -> coordinator.updateFailed(cause));
  }

  /**
   * Totals of a server.
   *
   * @param bytesPushed bytes of gradients received
   * @param bytesPulled bytes of values sent
   * @param updates shards updated, each time
   * @param refused requests answered with an error
   * @param members workers that take part now
   */
  public record Statistics(
      long bytesPushed, long bytesPulled, long updates, long refused, int members) {}

  private final class Acceptor extends BaseSubscriber<Connection> implements WorkerLink.Events {

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      request(MAX_CONNECTIONS);
    }

    @Override
    protected void hookOnNext(Connection connection) {
      WorkerLink link = new WorkerLink(connection, this);
      mailbox.execute(() -> coordinator.connected(link));
    }

    @Override
    protected void hookOnError(Throwable cause) {
      mailbox.execute(() -> coordinator.acceptFailed(cause));
    }

    @Override
    public void received(WorkerLink link, Message message) {
      mailbox.execute(() -> coordinator.receive(link, message));
    }

    @Override
    public void ended(WorkerLink link, Throwable cause) {
      request(1);
      mailbox.execute(() -> coordinator.lost(link, cause));
    }

    @Override
    public void sent(long payloadBytes) {
      counters.bytesPulled().add(payloadBytes);
    }
  }
}
