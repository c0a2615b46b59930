package io.maestro.ps;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.PathReport;
import io.maestro.api.PathSample;
import io.maestro.api.Region;
import io.maestro.api.RemoteRegion;
import io.maestro.api.SendOptions;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;

/**
 * One end of a connection in memory: a message leaves only when the other end's subscriber has
 * demand, takes as long as the network says, and may overtake others.
 */
final class MemoryConnection implements Connection {

  private final MemoryNetwork network;
  private final String peer;
  private final Queue<Outgoing> outgoing = new ArrayDeque<>();
  private final Sinks.Empty<Void> closed = Sinks.empty();
  private @Nullable MemoryConnection other;
  private @Nullable CoreSubscriber<? super Message> subscriber;
  private @Nullable Throwable failure;
  private boolean ended;
  private long demand;
  private long sequence;

  private MemoryConnection(MemoryNetwork network, String peer) {
    this.network = network;
    this.peer = peer;
  }

  /** Two ends; the first is the worker's. */
  static List<MemoryConnection> pair(MemoryNetwork network, String worker, String server) {
    MemoryConnection one = new MemoryConnection(network, server);
    MemoryConnection two = new MemoryConnection(network, worker);
    one.other = two;
    two.other = one;
    return List.of(one, two);
  }

  @Override
  public Mono<Void> send(Region message, SendOptions options) {
    return Mono.create(
        sink -> {
          Outgoing item = new Outgoing(message.retain(), options, sink);
          network.run(
              () -> {
                if (ended) {
                  item.end(lost());
                } else {
                  outgoing.add(item);
                  pump();
                }
              });
          sink.onCancel(() -> network.run(() -> cancel(item)));
        });
  }

  private void cancel(Outgoing item) {
    if (outgoing.remove(item)) {
      item.message.release();
    }
  }

  private void pump() {
    MemoryConnection receiver = peerEnd();
    while (!outgoing.isEmpty() && receiver.subscriber != null && receiver.demand > 0) {
      receiver.demand--;
      Outgoing item = outgoing.remove();
      network.later(() -> deliver(receiver, item));
    }
  }

  private void deliver(MemoryConnection receiver, Outgoing item) {
    CoreSubscriber<? super Message> to = receiver.subscriber;
    if (receiver.ended || to == null) {
      item.end(receiver.ended ? lost() : new MaestroException.ReceiverCancelled("no subscriber"));
      return;
    }
    to.onNext(network.lease(++sequence, item.options.header(), item.message.segment()));
    network.later(() -> item.end(null));
  }

  @Override
  public Flux<Message> receive() {
    return Flux.from(
        (Publisher<Message>)
            target -> {
              CoreSubscriber<? super Message> to = Operators.toCoreSubscriber(target);
              to.onSubscribe(new Demand());
              network.run(() -> subscribe(to));
            });
  }

  private void subscribe(CoreSubscriber<? super Message> to) {
    if (ended) {
      end(to);
    } else {
      subscriber = to;
      peerEnd().pump();
    }
  }

  /** Breaks both ends at once, as when a process is killed. */
  void kill() {
    network.run(
        () -> {
          endBoth(new MaestroException.ConnectionLost("killed", null));
        });
  }

  @Override
  public Mono<Void> close() {
    return Mono.fromRunnable(() -> network.run(() -> endBoth(null)));
  }

  private void endBoth(@Nullable Throwable cause) {
    endHere(cause);
    peerEnd().endHere(cause);
  }

  private void endHere(@Nullable Throwable cause) {
    if (ended) {
      return;
    }
    ended = true;
    failure = cause;
    Outgoing item;
    while ((item = outgoing.poll()) != null) {
      item.end(lost());
    }
    CoreSubscriber<? super Message> to = subscriber;
    subscriber = null;
    if (to != null) {
      end(to);
    }
    closed.tryEmitEmpty();
  }

  private void end(CoreSubscriber<? super Message> to) {
    if (failure == null) {
      to.onComplete();
    } else {
      to.onError(failure);
    }
  }

  private Throwable lost() {
    return new MaestroException.ConnectionLost("the connection to " + peer + " is gone", failure);
  }

  private MemoryConnection peerEnd() {
    MemoryConnection end = other;
    if (end == null) {
      throw new IllegalStateException("not paired");
    }
    return end;
  }

  @Override
  public Mono<Void> send(Publisher<Region> messages) {
    return Flux.from(messages)
        .concatMap(region -> send(region).doFinally(signal -> region.release()), 1)
        .then();
  }

  @Override
  public RemoteRegion export(Region region, Set<RemoteAccess> access) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void revoke(RemoteRegion handle) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Mono<Void> write(Region source, RemoteRegion target, long offset) {
    return Mono.error(new UnsupportedOperationException());
  }

  @Override
  public Mono<Void> read(RemoteRegion source, long offset, Region target) {
    return Mono.error(new UnsupportedOperationException());
  }

  @Override
  public List<PathReport> paths() {
    return List.of();
  }

  @Override
  public Flux<PathSample> samples() {
    return Flux.empty();
  }

  @Override
  public String peer() {
    return peer;
  }

  @Override
  public Mono<Void> onClose() {
    return closed.asMono();
  }

  private record Outgoing(Region message, SendOptions options, MonoSink<Void> sink) {
    void end(@Nullable Throwable cause) {
      message.release();
      if (cause == null) {
        sink.success();
      } else {
        sink.error(cause);
      }
    }
  }

  private final class Demand implements Subscription {
    @Override
    public void request(long n) {
      network.run(
          () -> {
            demand = Operators.addCap(demand, n);
            peerEnd().pump();
          });
    }

    @Override
    public void cancel() {
      network.run(
          () -> {
            subscriber = null;
            demand = 0;
          });
    }
  }
}
