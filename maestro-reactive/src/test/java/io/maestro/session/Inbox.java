package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Scheduler;

/**
 * A receiver of a simulated run: takes messages at its own pace, uses their memory, keeps some for
 * a while, and looks whether anybody has written into them meanwhile.
 */
final class Inbox extends BaseSubscriber<Message> {
  private final Side side;
  private final Ledger ledger;
  private final Scheduler later;
  private final int demand;
  private int held;
  private long heldBytes;
  private boolean over;

  Inbox(Side side, Ledger ledger, Scheduler later, int demand) {
    this.side = side;
    this.ledger = ledger;
    this.later = later;
    this.demand = demand;
  }

  /** Messages that have not been closed. */
  int held() {
    return held;
  }

  long heldBytes() {
    return heldBytes;
  }

  boolean isOver() {
    return over;
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    request(demand == 0 ? Long.MAX_VALUE : demand);
  }

  @Override
  protected void hookOnNext(Message message) {
    ledger.came(side, message);
    MemorySegment data = message.data();
    Bytes.scribble(data);
    held++;
    heldBytes += data.byteSize();
    long number = message.sequence();
    if (number % 3 == 0) {
      later.schedule(() -> giveBack(message), number * 7919 % 20_000, TimeUnit.MICROSECONDS);
    } else {
      giveBack(message);
    }
  }

  private void giveBack(Message message) {
    MemorySegment data = message.data();
    ledger.require(
        Bytes.isScribbled(data),
        "%s at the %s was written to after it was handed over".formatted(message, side));
    held--;
    heldBytes -= data.byteSize();
    message.close();
    if (demand != 0) {
      request(1);
    }
  }

  @Override
  protected void hookOnError(Throwable failure) {
    ledger.require(
        failure instanceof MaestroException, "receiving at the " + side + " ended with " + failure);
  }

  @Override
  protected void hookFinally(SignalType type) {
    over = true;
  }
}
