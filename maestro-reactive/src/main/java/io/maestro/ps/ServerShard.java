package io.maestro.ps;

import io.maestro.api.Message;
import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * One shard of a server: who waits for what, which gradients are held, and the values. All methods
 * run in the mailbox; only the update itself runs beside it.
 */
final class ServerShard {

  private final Shard shard;
  private final ShardHost host;
  private final Progress progress;
  private final VersionedMemory memory;
  private final Map<Integer, Message> held = new TreeMap<>();
  private final Map<Integer, Wait> waits = new TreeMap<>();
  private boolean initialised;
  private boolean updating;
  private boolean closed;

  ServerShard(Shard shard, ShardHost host) {
    this.shard = shard;
    this.host = host;
    progress = new Progress(host.config().consistency());
    memory = new VersionedMemory(shard.bytes(), host.update().stateFloatsPerElement());
    initialised = !host.update().usesParameters();
  }

  long complete() {
    return progress.complete();
  }

  void start() {
    progress.start();
    advance();
  }

  void enter(int rank, long firstStep) {
    progress.enter(rank, firstStep);
    advance();
  }

  /** The worker's held gradient is dropped. */
  void leave(int rank) {
    Message message = held.remove(rank);
    if (message != null) {
      message.close();
    }
    Wait wait = waits.remove(rank);
    if (wait != null) {
      wait.refuse(new Refusal(Status.NOT_A_MEMBER, "the worker left"));
    }
    progress.leave(rank);
    advance();
  }

  void initialise(Call call, Message message) {
    requireSize(message);
    if (progress.version() > 0 || updating || !held.isEmpty()) {
      throw new Refusal(
          Status.ALREADY_INITIALISED, shard + " has been trained; pull its values instead");
    }
    Region values = memory.next();
    values.segment().copyFrom(message.data());
    memory.publish(values);
    initialised = true;
    call.answer(progress.version());
    advance();
  }

  /** Whether the message is kept until it has been applied. */
  boolean push(Call call, Message message) {
    requireSize(message);
    Header header = call.header();
    Progress.Verdict verdict = progress.offer(call.rank(), header.step());
    if (verdict == Progress.Verdict.EARLY) {
      throw new Refusal(
          Status.OUT_OF_STEP,
          "%s is at version %d and cannot take step %d of worker %d; pull step %d first"
              .formatted(shard, progress.version(), header.step(), call.rank(), header.step() - 1));
    }
    boolean kept = verdict == Progress.Verdict.ACCEPTED;
    if (kept) {
      held.put(call.rank(), message);
    }
    if (header.op() == Op.PUSH) {
      call.answer(progress.version());
    } else {
      await(call);
    }
    advance();
    return kept;
  }

  void pull(Call call) {
    await(call);
    releaseWaits();
  }

  /** Of a worker's calls the latest waits; an earlier one, since cancelled, may arrive after it. */
  private void await(Call call) {
    Wait previous = waits.get(call.rank());
    Refusal superseded =
        new Refusal(Status.SUPERSEDED, "the same worker pulled " + shard + " again");
    if (previous != null && previous.call().header().request() > call.header().request()) {
      call.refuse(superseded);
      return;
    }
    if (previous != null) {
      previous.refuse(superseded);
    }
    Wait wait = new Wait(call, host.deadline(() -> expire(call), call.header().timeoutMs()));
    waits.put(call.rank(), wait);
  }

  private void expire(Call call) {
    Wait wait = waits.get(call.rank());
    if (wait != null && wait.call().equals(call)) {
      waits.remove(call.rank());
      String reason =
          initialised
              ? "still missing: " + host.describe(progress.missing())
              : "nobody has given the initial values; call init on every worker";
      wait.refuse(
          new Refusal(
              Status.DEADLINE,
              "%s is at version %d, step %d was waited for; %s"
                  .formatted(shard, progress.version(), call.header().step(), reason)));
    }
  }

  void refuseWaits(Refusal refusal) {
    waits.values().forEach(wait -> wait.refuse(refusal));
    waits.clear();
  }

  private void releaseWaits() {
    waits.values().removeIf(this::answerIfReady);
  }

  private boolean answerIfReady(Wait wait) {
    Call call = wait.call();
    boolean ready = initialised && progress.mayRead(call.rank(), call.header().step());
    if (ready) {
      wait.deadline().dispose();
      call.answer(progress.version(), memory.current());
    }
    return ready;
  }

  private void advance() {
    List<Integer> ranks = initialised && !closed ? progress.begin() : List.of();
    if (!ranks.isEmpty()) {
      List<Message> messages = new ArrayList<>();
      ranks.forEach(rank -> messages.add(Objects.requireNonNull(held.remove(rank))));
      update(messages);
    }
    releaseWaits();
  }

  private void update(List<Message> messages) {
    updating = true;
    Region current = memory.current();
    Region next = memory.next();
    List<MemorySegment> gradients = messages.stream().map(Message::data).toList();
    int divisor = progress.divisor(messages.size());
    host.aggregate(
        () ->
            host.update()
                .apply(
                    current.segment().asReadOnly(),
                    next.segment(),
                    memory.state(),
                    gradients,
                    divisor),
        succeeded -> updated(messages, next, succeeded));
  }

  private void updated(List<Message> messages, Region next, boolean succeeded) {
    updating = false;
    messages.forEach(Message::close);
    if (closed || !succeeded) {
      next.release();
      free();
      return;
    }
    memory.publish(next);
    progress.applied();
    advance();
  }

  /** Drops what is held; the values go as soon as no update and no answer uses them. */
  void close() {
    if (!closed) {
      closed = true;
      refuseWaits(new Refusal(Status.SERVER_CLOSED, "the server was closed; start it again"));
      held.values().forEach(Message::close);
      held.clear();
      free();
    }
  }

  private void free() {
    if (closed && !updating) {
      memory.close();
    }
  }

  private void requireSize(Message message) {
    if (message.size() != shard.bytes()) {
      throw new Refusal(
          Status.WRONG_SIZE,
          "%s has %d bytes, the message %d".formatted(shard, shard.bytes(), message.size()));
    }
  }
}
