package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.verbs.MemoryRegion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Messages on their way out: they wait for the receiver's demand, then go in one SEND or are
 * offered, given a place, and moved in chunks. Session's loop only.
 */
final class Outbound {
  private final SessionContext context;
  private final ControlPlane controls;
  private final FanOut fanOut;
  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(
          Comparator.comparingInt((Waiting w) -> -w.message.priority())
              .thenComparingLong(Waiting::order));
  private final Map<Long, OutMessage> started = new HashMap<>();
  private long submitted;
  private long startedTotal;
  private long creditTotal;
  private volatile long credits;

  private record Waiting(OutMessage message, long order) {}

  Outbound(SessionContext context, ControlPlane controls, FanOut fanOut) {
    this.context = context;
    this.controls = controls;
    this.fanOut = fanOut;
  }

  void submit(OutMessage message) {
    waiting.add(new Waiting(message, submitted++));
    startWaiting();
  }

  void onCredit(long total) {
    creditTotal = Math.max(creditTotal, total);
    startWaiting();
  }

  /** Messages that the receiver would take beyond those that have been started. Any thread. */
  long credits() {
    return credits;
  }

  private void startWaiting() {
    Waiting next;
    while (startedTotal < creditTotal && (next = waiting.poll()) != null) {
      if (next.message.state() == OutMessage.State.WAITING) {
        start(next.message, ++startedTotal);
      }
    }
    credits = creditTotal - startedTotal;
  }

  private void start(OutMessage message, long seq) {
    started.put(seq, message);
    long size = message.region().size();
    if (size <= context.parameters().eagerBytes()) {
      message.started(seq, OutMessage.State.SMALL_SENT);
      controls.send(
          new Control.Eager(seq, message.header(), message.region().segment(), null),
          () -> complete(message));
    } else {
      message.started(seq, OutMessage.State.OFFERED);
      controls.send(new Control.Rts(seq, size, message.priority(), message.header()));
    }
  }

  private void complete(OutMessage message) {
    started.remove(message.seq());
    message.complete();
  }

  void onCts(Control.Cts cts) {
    OutMessage message = started.get(cts.seq());
    if (message == null || message.state() != OutMessage.State.OFFERED) {
      return; // given up meanwhile: the receiver has a cancel on its way
    }
    MemoryRegion local = context.registrations().acquire(message.region());
    Chunking chunking = new Chunking(message.region().size(), context.parameters().chunkBytes());
    Transfer[] self = new Transfer[1];
    Transfer transfer =
        new Transfer(
            new Transfer.Plan(Transfer.Kind.WRITE, chunking, message.priority()),
            local,
            new Transfer.Target(cts.slot(), cts.address(), cts.rkey()),
            failure -> onMoved(message, self[0], failure));
    self[0] = transfer;
    message.moving(transfer);
    fanOut.add(transfer);
  }

  private void onMoved(OutMessage message, Transfer transfer, @Nullable Throwable failure) {
    fanOut.remove(transfer);
    context.registrations().release(message.region());
    if (failure == null) {
      complete(message);
    } else {
      controls.send(new Control.Cancel(message.seq()));
      started.remove(message.seq());
      message.end();
    }
  }

  void onAbort(Control.Abort abort) {
    OutMessage message = started.get(abort.seq());
    if (message != null) {
      giveUp(message, failureOf(abort, message));
    }
  }

  private MaestroException failureOf(Control.Abort abort, OutMessage message) {
    return switch (abort.reason()) {
      case OVER_BUDGET ->
          new MaestroException.TooLarge(
              "%s refused %s: its memory budget is %d bytes; raise its memoryBudgetBytes or send"
                      .formatted(context.peer(), message, abort.limit())
                  + " smaller messages");
      case NO_MEMORY ->
          new MaestroException.Rejected(
              "no-memory",
              "%s has no memory for %s though its budget of %d bytes has room: raise its"
                      .formatted(context.peer(), message, abort.limit())
                  + " -XX:MaxDirectMemorySize or lower its memoryBudgetBytes");
      case RECEIVER_CANCELLED ->
          new MaestroException.ReceiverCancelled(
              "the subscriber at %s cancelled while it was to receive %s"
                  .formatted(context.peer(), message));
    };
  }

  /** The sender does not want it any more; nobody is told. */
  void cancel(OutMessage message) {
    giveUp(message, new MaestroException.Closed("cancelled"));
  }

  private void giveUp(OutMessage message, MaestroException reason) {
    Transfer transfer = message.transfer();
    switch (message.state()) {
      case WAITING -> message.end();
      case OFFERED -> {
        controls.send(new Control.Cancel(message.seq()));
        started.remove(message.seq());
        message.end();
      }
      case MOVING -> {
        if (transfer != null) {
          transfer.stop(reason);
        }
      }
      case SMALL_SENT, ENDED -> {
        // it is with the peer already: its confirmation ends it
      }
    }
    message.fail(reason);
  }

  /** Fails what is overdue. */
  void tick(long nowNs) {
    List<OutMessage> overdue = new ArrayList<>();
    for (Waiting entry : waiting) {
      collectOverdue(entry.message, nowNs, overdue);
    }
    for (OutMessage message : started.values()) {
      collectOverdue(message, nowNs, overdue);
    }
    for (OutMessage message : overdue) {
      giveUp(
          message,
          new MaestroException.DeadlineExceeded(
              "%s to %s is overdue; the receiver has granted %d messages, %d are started"
                  .formatted(message, context.peer(), creditTotal, startedTotal)));
    }
    waiting.removeIf(entry -> entry.message.state() == OutMessage.State.ENDED);
  }

  private static void collectOverdue(OutMessage message, long nowNs, List<OutMessage> overdue) {
    if (message.overdue(nowNs)) {
      overdue.add(message);
    }
  }

  /** Fails everything; transfers have been stopped before. */
  void failAll(MaestroException reason) {
    ArrayDeque<OutMessage> all = new ArrayDeque<>(started.values());
    waiting.forEach(entry -> all.add(entry.message));
    started.clear();
    waiting.clear();
    for (OutMessage message : all) {
      message.fail(reason);
      message.end();
    }
  }

  boolean idle() {
    return started.isEmpty() && waiting.isEmpty();
  }
}
