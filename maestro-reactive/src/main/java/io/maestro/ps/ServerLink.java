package io.maestro.ps;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.api.SendOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** A worker's side of one connection: matches answers with requests. Any thread. */
final class ServerLink extends BaseSubscriber<Message> {

  /** Requests that one call has under way: 64 MiB of full shards. */
  static final int WINDOW = 16;

  private static final int URGENT = 7;

  private final Connection connection;
  private final int index;
  private final AtomicLong requests = new AtomicLong();
  private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
  private volatile @Nullable Throwable ended;

  ServerLink(Connection connection, int index) {
    this.connection = connection;
    this.index = index;
  }

  void start() {
    connection.receive().subscribe(this);
  }

  /** A request with nothing but a header. */
  Mono<Header> call(Header header) {
    return call(header, () -> WorkerLink.NOTHING.retain(), null);
  }

  /**
   * A request that completes with its answer.
   *
   * @param payload gives what to send for each subscription; it is released when sent
   * @param target where the values of the answer go
   */
  Mono<Header> call(Header header, Supplier<Region> payload, @Nullable Slice target) {
    return Mono.create(sink -> start(sink, header, payload, target));
  }

  private void start(
      MonoSink<Header> sink, Header header, Supplier<Region> payload, @Nullable Slice target) {
    long request = requests.incrementAndGet();
    Region region = payload.get();
    Pending call = new Pending(sink, open(target, region));
    pending.put(request, call);
    sink.onDispose(() -> pending.remove(request));
    Throwable end = ended;
    if (end != null) {
      region.release();
      call.fail(end);
      return;
    }
    Disposable send =
        connection
            .send(region, options(header.withRequest(request), region))
            .doFinally(signal -> region.release())
            .doOnError(failure -> call.fail(named(failure)))
            .doOnSuccess(nothing -> call.sent())
            .onErrorComplete() // or one that meets a cancel would be logged as dropped
            .subscribe();
    sink.onCancel(
        () -> {
          send.dispose();
          call.end();
        });
  }

  private static @Nullable Region open(@Nullable Slice target, Region payload) {
    try {
      return target == null ? null : target.open();
    } catch (RuntimeException e) {
      payload.release();
      throw e;
    }
  }

  private static SendOptions options(Header header, Region payload) {
    SendOptions options = SendOptions.DEFAULT.withHeader(header.encode());
    return payload.size() == 0 ? options.withPriority(URGENT) : options;
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    request(WorkerLink.CREDITS);
  }

  @Override
  protected void hookOnNext(Message message) {
    boolean kept = false;
    try {
      kept = answered(Header.decode(message.header()), message);
    } catch (Refusal unreadable) {
      failAll(
          new MaestroException.Refused(
              describe() + " answered what cannot be read: " + unreadable.text(), unreadable));
    } finally {
      if (!kept) {
        message.close();
      }
      request(1);
    }
  }

  private boolean answered(Header header, Message message) {
    Pending call = header.op() == Op.ANSWER ? pending.get(header.request()) : null;
    if (call == null) {
      return false;
    }
    if (header.status() == Status.OK) {
      return call.answered(header, message);
    }
    call.fail(Failures.of(header, describe()));
    return false;
  }

  @Override
  protected void hookOnComplete() {
    end(new MaestroException.ConnectionLost(describe() + ": the connection was closed", null));
  }

  @Override
  protected void hookOnError(Throwable cause) {
    end(lost(cause));
  }

  private Throwable named(Throwable failure) {
    return failure instanceof MaestroException.ConnectionLost ? lost(failure) : failure;
  }

  private MaestroException lost(Throwable cause) {
    return new MaestroException.ConnectionLost(
        describe() + " was lost: " + cause.getMessage(), cause);
  }

  /** Takes no more answers; calls under way fail. The connection stays open. */
  void close() {
    cancel();
    end(new MaestroException.Closed("the worker has left " + describe()));
  }

  boolean isWaiting() {
    return !pending.isEmpty();
  }

  int index() {
    return index;
  }

  String describe() {
    return "server %d (%s)".formatted(index, connection.peer());
  }

  private void end(Throwable cause) {
    ended = cause;
    failAll(cause);
  }

  private void failAll(Throwable cause) {
    pending.values().forEach(call -> call.fail(cause));
  }
}
