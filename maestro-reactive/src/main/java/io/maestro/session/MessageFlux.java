package io.maestro.session;

import io.maestro.api.Message;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * The incoming messages of a session as a {@code Flux} with one subscriber at a time. Its demand
 * becomes credits for the peer, so the queue in between never holds more than was asked for.
 * Messages are emitted on the delivery scheduler.
 */
final class MessageFlux extends Flux<Message> {
  private final SessionContext context;
  private final Inbound inbound;
  private final Later later;
  private final AtomicReference<@Nullable Delivery> subscriber = new AtomicReference<>();
  private volatile @Nullable End end;

  /** How the stream has ended; a null failure means in order. */
  private record End(@Nullable Throwable failure) {}

  /**
   * @param later runs a task on the session's loop and then moves what it has made possible
   */
  MessageFlux(SessionContext context, Inbound inbound, Later later) {
    this.context = context;
    this.inbound = inbound;
    this.later = later;
  }

  @Override
  public void subscribe(CoreSubscriber<? super Message> actual) {
    Delivery delivery = new Delivery(actual);
    if (!subscriber.compareAndSet(null, delivery)) {
      Operators.error(
          actual, new IllegalStateException("receive() has a subscriber; share() it instead"));
      return;
    }
    actual.onSubscribe(delivery);
    delivery.schedule();
  }

  /** Messages that the subscriber has asked for and not got. Session's loop. */
  long demand() {
    Delivery current = subscriber.get();
    return current == null ? 0 : current.demand;
  }

  boolean subscribed() {
    return subscriber.get() != null;
  }

  /** Session's loop. */
  void deliver(ReceivedMessage message) {
    Delivery current = subscriber.get();
    if (current == null) {
      message.close();
      inbound.delivered(1);
    } else {
      current.queue.add(message);
      current.schedule();
    }
  }

  /** Ends the stream once what is queued has been emitted. Session's loop. */
  void end(@Nullable Throwable failure) {
    end = new End(failure);
    Delivery current = subscriber.get();
    if (current != null) {
      current.schedule();
    }
  }

  private final class Delivery implements Subscription {
    private final CoreSubscriber<? super Message> actual;
    private final Scheduler.Worker worker = context.delivery().createWorker();
    private final Queue<ReceivedMessage> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong requested = new AtomicLong();
    private final AtomicInteger work = new AtomicInteger();
    private final Runnable emit = this::emit;
    private volatile boolean cancelled;
    private boolean ended;
    private long demand;

    Delivery(CoreSubscriber<? super Message> actual) {
      this.actual = actual;
    }

    @Override
    public void request(long n) {
      if (Operators.validate(n)) {
        requested.accumulateAndGet(n, Operators::addCap);
        later.run(
            () -> {
              demand = Operators.addCap(demand, n);
              inbound.grant();
            });
        schedule();
      }
    }

    @Override
    public void cancel() {
      if (!cancelled) {
        cancelled = true;
        subscriber.compareAndSet(this, null);
        later.run(inbound::onSubscriberGone);
        schedule();
      }
    }

    void schedule() {
      if (work.getAndIncrement() == 0) {
        Tasks.schedule(worker, emit);
      }
    }

    private void emit() {
      int missed = 1;
      while (missed != 0) {
        emitQueued();
        missed = work.addAndGet(-missed);
      }
    }

    private void emitQueued() {
      End finalEnd = end;
      long emitted = 0;
      ReceivedMessage message;
      while ((cancelled || requested.get() > emitted) && (message = queue.poll()) != null) {
        emitted++;
        if (cancelled) {
          message.close();
        } else {
          actual.onNext(message);
        }
      }
      if (emitted > 0) {
        settle(emitted);
      }
      if (cancelled) {
        worker.dispose();
      } else if (finalEnd != null && queue.isEmpty() && !ended) {
        complete(finalEnd);
      }
    }

    private void settle(long emitted) {
      requested.updateAndGet(n -> n == Long.MAX_VALUE ? n : Math.max(0, n - emitted));
      later.run(
          () -> {
            demand = demand == Long.MAX_VALUE ? demand : Math.max(0, demand - emitted);
            inbound.delivered(emitted);
          });
    }

    private void complete(End finalEnd) {
      ended = true;
      subscriber.compareAndSet(this, null);
      worker.dispose();
      if (finalEnd.failure() == null) {
        actual.onComplete();
      } else {
        actual.onError(finalEnd.failure());
      }
    }
  }
}
