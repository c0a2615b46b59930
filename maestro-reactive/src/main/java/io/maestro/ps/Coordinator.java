package io.maestro.ps;

import io.maestro.api.MaestroException.MemberLost;
import io.maestro.api.Message;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Runs a server: answers requests and follows who is a member. All methods run in the mailbox. */
final class Coordinator {

  private final ShardHost host;
  private final ServerCounters counters;
  private final Set<WorkerLink> links = new LinkedHashSet<>();
  private final Map<Integer, WorkerLink> greeted = new HashMap<>();
  private final Sinks.Empty<Void> finished = Sinks.empty();
  private @Nullable Job job;
  private @Nullable Refusal failure;
  private boolean started;
  private boolean closed;

  Coordinator(ShardHost host, ServerCounters counters) {
    this.host = host;
    this.counters = counters;
  }

  Mono<Void> finished() {
    return finished.asMono();
  }

  void connected(WorkerLink link) {
    if (!closed) {
      links.add(link);
      link.start();
    }
  }

  void receive(WorkerLink link, Message message) {
    boolean kept = false;
    try {
      kept = !closed && answer(link, message);
    } finally {
      if (!kept) {
        message.close();
      }
    }
  }

  private boolean answer(WorkerLink link, Message message) {
    Header unreadable =
        Header.request(Op.ANSWER, link.rank()).withRequest(Header.requestOf(message.header()));
    Call call = new Call(link, unreadable);
    try {
      call = new Call(link, Header.decode(message.header()));
      return dispatch(call, message);
    } catch (Refusal refusal) {
      if (refusal.status() != Status.TOO_LATE) {
        counters.refused().increment();
      }
      call.refuse(refusal);
      return false;
    }
  }

  private boolean dispatch(Call call, Message message) {
    Header header = call.header();
    if (failure != null && header.op() != Op.LEAVE) {
      throw failure;
    }
    boolean kept = false;
    switch (header.op()) {
      case HELLO -> hello(call, message);
      case ENTER -> enter(call);
      case CLAIM -> jobOf(call).claim().claim(call);
      case CLAIM_DONE -> jobOf(call).claim().done(call);
      case INITIALISE -> jobOf(call).shard(header.shard()).initialise(call, message);
      case PUSH, EXCHANGE -> kept = push(call, message);
      case PULL -> jobOf(call).shard(header.shard()).pull(call);
      case LEAVE -> leave(call);
      case ANSWER -> throw new Refusal(Status.MALFORMED, "a server takes no answers");
    }
    return kept;
  }

  private void hello(Call call, Message message) {
    Hello hello = Hello.decode(message.data());
    Header header = call.header();
    requireSettings(hello);
    requireFreeRank(call);
    if (started && host.config().membership() == PsConfig.Membership.STRICT) {
      throw new Refusal(
          Status.JOB_STARTED,
          "the job has started with all its workers; use elastic membership to join later");
    }
    Job known = job;
    if (known != null) {
      known.requireSame(header.argument(), hello);
    }
    requireMemory(hello);
    if (known == null) {
      known = new Job(header.argument(), hello, host);
      job = known;
    }
    call.link().greeted(call.rank());
    greeted.put(call.rank(), call.link());
    call.answer(known.complete());
  }

  private void requireSettings(Hello hello) {
    PsConfig config = host.config();
    String mine = Hello.of(config, ShardPlan.of(List.of(), 1), 0).settings();
    if (!hello.settings().equals(mine)) {
      throw new Refusal(
          Status.CONFIGURATION_DIFFERS,
          "the worker says %s; the server says %s; give both the same settings"
              .formatted(hello.settings(), mine));
    }
  }

  private void requireFreeRank(Call call) {
    WorkerLink holder = greeted.get(call.rank());
    if (call.rank() < 0 || call.link().isGreeted() || holder != null) {
      throw new Refusal(
          Status.DUPLICATE_RANK,
          "rank %d is taken by %s; give each worker a rank of its own, from 0"
              .formatted(call.rank(), holder == null ? "this connection" : holder.describe()));
    }
  }

  private void requireMemory(Hello hello) {
    int workers = Math.max(host.config().workers(), greeted.size() + 1);
    long needed = Job.bytesNeeded(hello, host.update(), workers);
    if (needed > host.config().memoryBytes()) {
      throw new Refusal(
          Status.MEMORY,
          "%d workers need %d bytes on this server, memoryBytes is %d; raise it or add servers"
              .formatted(workers, needed, host.config().memoryBytes()));
    }
  }

  private void enter(Call call) {
    WorkerLink link = call.link();
    requireGreeted(call);
    Job known = Objects.requireNonNull(job);
    long firstStep = call.header().step();
    if (firstStep <= known.complete()) {
      throw Refusal.tooLate(known.complete());
    }
    link.entered();
    counters.members().set(members());
    known.forEach(shard -> shard.enter(call.rank(), firstStep));
    call.answer(firstStep);
    if (!started && members() >= host.config().workers()) {
      started = true;
      known.forEach(ServerShard::start);
    }
  }

  private boolean push(Call call, Message message) {
    counters.bytesPushed().add(message.size());
    return jobOf(call).shard(call.header().shard()).push(call, message);
  }

  private void leave(Call call) {
    if (call.link().isGreeted()) {
      depart(call.link());
      if (started && greeted.isEmpty()) {
        finished.tryEmitEmpty();
      }
    }
    call.answer(0);
  }

  /** The connection has ended; a member that had not left is lost. */
  void lost(WorkerLink link, Throwable cause) {
    links.remove(link);
    int rank = link.rank();
    String address = link.address();
    boolean wasMember = link.isEntered();
    if (link.isGreeted()) {
      depart(link);
    }
    if (wasMember && host.config().membership() == PsConfig.Membership.STRICT && failure == null) {
      String text =
          "worker %d (%s) was lost: %s; start the job again, or use elastic membership"
              .formatted(rank, address, cause.getMessage());
      fail(Refusal.memberLost(rank, address, text), new MemberLost(text, rank, address, cause));
    }
  }

  private void depart(WorkerLink link) {
    int rank = link.rank();
    greeted.remove(rank);
    link.left();
    counters.members().set(members());
    Job known = job;
    if (known != null) {
      known.leave(rank);
      if (!started && greeted.isEmpty()) {
        known.close();
        job = null;
      }
    }
  }

  /** No further worker can come; those that are here go on. */
  void acceptFailed(Throwable cause) {
    finished.tryEmitError(cause);
  }

  void updateFailed(Throwable cause) {
    String text = "the update failed: " + cause + "; correct it and start the job again";
    fail(new Refusal(Status.UPDATE_FAILED, text), cause);
  }

  private void fail(Refusal refusal, Throwable cause) {
    if (failure == null && !closed) {
      failure = refusal;
      if (job != null) {
        job.refuseWaits(refusal);
      }
      finished.tryEmitError(cause);
    }
  }

  void close() {
    if (!closed) {
      closed = true;
      if (job != null) {
        job.close();
      }
      links.forEach(WorkerLink::close);
      links.clear();
      greeted.clear();
      counters.members().set(0);
      finished.tryEmitEmpty();
    }
  }

  String describe(List<Integer> ranks) {
    int absent = started ? 0 : host.config().workers() - members();
    String known =
        ranks.stream()
            .map(rank -> Objects.requireNonNull(greeted.get(rank)).describe())
            .collect(Collectors.joining(", "));
    String others = absent <= 0 ? "" : "%d workers that have not joined".formatted(absent);
    return known + (known.isEmpty() || others.isEmpty() ? "" : " and ") + others;
  }

  private int members() {
    return (int) greeted.values().stream().filter(WorkerLink::isEntered).count();
  }

  private Job jobOf(Call call) {
    requireGreeted(call);
    if (!call.link().isEntered()) {
      throw new Refusal(Status.NOT_A_MEMBER, "the worker has not entered; join first");
    }
    return Objects.requireNonNull(job);
  }

  private static void requireGreeted(Call call) {
    if (!call.link().isGreeted() || call.link().rank() != call.rank()) {
      throw new Refusal(
          Status.NOT_A_MEMBER,
          "worker %d has not joined on this connection; join first".formatted(call.rank()));
    }
  }
}
