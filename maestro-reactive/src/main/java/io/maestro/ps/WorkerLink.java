package io.maestro.ps;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.api.SendOptions;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/**
 * A server's side of one connection. A request takes a credit, which comes back when its answer has
 * been sent: so a worker that asks and does not listen holds a bounded number of answers.
 */
final class WorkerLink extends BaseSubscriber<Message> {

  static final Region NOTHING = Region.wrap(Arena.global().allocate(0));

  /** Four times what a client has under way in one call. */
  static final int CREDITS = 4 * ServerLink.WINDOW;

  private static final int URGENT = 7;

  private final Connection connection;
  private final Events events;
  private final AtomicBoolean ended = new AtomicBoolean();
  private int rank = -1;
  private boolean entered;

  /** What happens on a link; called on the connection's threads. */
  interface Events {
    void received(WorkerLink link, Message message);

    void ended(WorkerLink link, Throwable cause);

    void sent(long payloadBytes);
  }

  WorkerLink(Connection connection, Events events) {
    this.connection = connection;
    this.events = events;
  }

  void start() {
    connection.receive().subscribe(this);
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    request(CREDITS);
  }

  @Override
  protected void hookOnNext(Message message) {
    events.received(this, message);
  }

  @Override
  protected void hookOnComplete() {
    end(new MaestroException.Closed("the connection was closed without a leave"));
  }

  @Override
  protected void hookOnError(Throwable cause) {
    end(cause);
  }

  private void end(Throwable cause) {
    if (ended.compareAndSet(false, true)) {
      events.ended(this, cause);
    }
  }

  /** Sends an answer and then gives the request's credit back. */
  void send(Header answer, Region payload) {
    payload.retain();
    SendOptions options = SendOptions.DEFAULT.withHeader(answer.encode());
    if (payload.size() == 0) {
      options = options.withPriority(URGENT);
    }
    connection
        .send(payload, options)
        .doFinally(signal -> sent(payload))
        .subscribe(nothing -> {}, failure -> {}, () -> events.sent(payload.size()));
  }

  private void sent(Region payload) {
    payload.release();
    giveCredit();
  }

  /** For a request that cannot be answered. */
  void giveCredit() {
    request(1);
  }

  /** Stops receiving; answers under way still end by themselves. */
  void close() {
    ended.set(true);
    cancel();
  }

  String address() {
    return connection.peer();
  }

  int rank() {
    return rank;
  }

  boolean isGreeted() {
    return rank >= 0;
  }

  boolean isEntered() {
    return entered;
  }

  void greeted(int newRank) {
    rank = newRank;
  }

  void entered() {
    entered = true;
  }

  void left() {
    rank = -1;
    entered = false;
  }

  String describe() {
    return isGreeted() ? "worker %d (%s)".formatted(rank, address()) : address();
  }
}
