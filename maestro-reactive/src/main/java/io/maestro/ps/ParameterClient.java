package io.maestro.ps;

import io.maestro.api.Connection;
import io.maestro.api.Region;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Mono;

/**
 * A worker's access to the parameter servers of a job.
 *
 * <p>A worker joins, initialises, and then for each step from {@link #firstStep()} on either calls
 * {@link #exchange}, or {@link #push} and then {@link #pull}; at the end it leaves. Wherever values
 * are given or taken there is one region for each tensor, in the order in which they were
 * described, of exactly its size, with float32 values in native byte order. Regions are retained
 * while a call is under way, sent in place, and must not be changed by others meanwhile.
 *
 * <p>Methods may be called from any thread and never block; at most one push and one pull may be
 * under way, and an exchange is both. Publishers are cold, and signals come on the threads of the
 * connections or of {@link PsConfig#scheduler()}. Every call ends by {@link PsConfig#deadline()}
 * and a second; it may then be tried again, since a server counts a step's gradient only once. A
 * cancelled call leaves targets with some shards written.
 *
 * <p>Errors are {@link io.maestro.api.MaestroException}s: {@code MemberLost} names the worker
 * without which a strict job cannot go on, {@code ConnectionLost} the server that is gone, {@code
 * DeadlineExceeded} says who was waited for, {@code Rejected} what to correct. Wrong arguments
 * arrive as {@link IllegalArgumentException}.
 */
public final class ParameterClient {

  private final Group group;
  private final long firstStep;
  private final ClientCounters counters = new ClientCounters();
  private final AtomicBoolean pushing = new AtomicBoolean();
  private final AtomicBoolean pulling = new AtomicBoolean();

  private ParameterClient(Group group, long firstStep) {
    this.group = group;
    this.firstStep = firstStep;
  }

  /**
   * Joins a job as one of its workers. The client is the only one that receives on the connections
   * until it leaves; it does not close them.
   *
   * @param servers a connection to each server, in the same order on all workers
   * @param rank the worker's own number, 0 or more; gradients are added in the order of ranks
   * @param tensors the model, the same on all workers
   * @param config the settings, the same on all workers and servers
   */
  public static Mono<ParameterClient> join(
      List<Connection> servers, int rank, List<TensorSpec> tensors, PsConfig config) {
    return Mono.defer(
        () -> {
          if (rank < 0) {
            throw new IllegalArgumentException("rank must be 0 or more, was " + rank);
          }
          ShardPlan plan = ShardPlan.of(tensors, servers.size());
          Group group = new Group(servers, rank, plan, config);
          return group.join().map(step -> new ParameterClient(group, step));
        });
  }

  /** The step with which this worker starts: 1, or later when it joined a job under way. */
  public long firstStep() {
    return firstStep;
  }

  /** The same as {@link #init(List, InitialValues)} with {@link InitialValues#ADOPT}. */
  public Mono<Void> init(List<Region> values) {
    return init(values, InitialValues.ADOPT);
  }

  /**
   * Agrees on the values to start from. Those of the first worker that calls are given to the
   * servers; for every other one {@code values} are overwritten with the values of the step before
   * {@link #firstStep()}. Needed once on every worker, unless the update uses no parameters.
   */
  public Mono<Void> init(List<Region> values, InitialValues others) {
    Transfer give = new Transfer(Op.INITIALISE, 0, values, null);
    Transfer take = new Transfer(Op.PULL, firstStep - 1, null, values);
    return Mono.defer(() -> claim(give, others))
        .subscribeOn(group.config().scheduler())
        .flatMap(answer -> answer.step() == InitialClaim.GIVE ? give(give) : run(take).then());
  }

  private Mono<Header> claim(Transfer give, InitialValues others) {
    give.requireSizes(group.plan().tensors());
    Header header =
        group
            .header(Op.CLAIM)
            .withStep(others == InitialValues.VERIFY ? 1 : 0)
            .withArgument(ValueHash.of(give.from()))
            .withTimeoutMs(group.remainingMs(group.deadlineNs()));
    return group.limited("initialising", group.first().call(header));
  }

  private Mono<Void> give(Transfer give) {
    return run(give).then(group.first().call(group.header(Op.CLAIM_DONE))).then();
  }

  /**
   * Sends the gradients of a step. Completes when all servers hold them, not when they have been
   * applied.
   */
  public Mono<Void> push(long step, List<Region> gradients) {
    return run(new Transfer(Op.PUSH, step, gradients, null)).then();
  }

  /**
   * Gets the values for going on after a step that this worker has pushed: as soon as all members'
   * gradients of the step are in them or, with bounded staleness, those of the step that many
   * before. Completes with their lowest version.
   */
  public Mono<Long> pull(long step, List<Region> values) {
    return run(new Transfer(Op.PULL, step, null, values));
  }

  /**
   * Pushes a step's gradients and pulls the values after it, without a round trip in between; each
   * shard comes back as soon as it is ready.
   *
   * @param values may be the same regions as the gradients
   */
  public Mono<Long> exchange(long step, List<Region> gradients, List<Region> values) {
    return run(new Transfer(Op.EXCHANGE, step, gradients, values));
  }

  /** Gives the regions back before it signals, so that the next call can start at the signal. */
  private Mono<Long> run(Transfer transfer) {
    return Mono.using(
        () -> occupy(transfer),
        startNs ->
            group
                .limited(transfer.op() + " of step " + transfer.step(), transfer.over(group))
                .doOnSuccess(version -> count(transfer, startNs)),
        startNs -> vacate(transfer));
  }

  private long occupy(Transfer transfer) {
    transfer.requireSizes(group.plan().tensors());
    boolean pushes = transfer.from() != null;
    boolean pushBusy = pushes && !pushing.compareAndSet(false, true);
    boolean pullBusy = !pushBusy && transfer.into() != null && !pulling.compareAndSet(false, true);
    if (pullBusy && pushes) {
      pushing.set(false);
    }
    if (pushBusy || pullBusy) {
      throw new IllegalStateException(
          "another %s is under way; wait until it ends".formatted(pushBusy ? "push" : "pull"));
    }
    transfer.retainAll();
    return group.config().clock().nanoTime();
  }

  private void vacate(Transfer transfer) {
    transfer.releaseAll();
    if (transfer.from() != null) {
      pushing.set(false);
    }
    if (transfer.into() != null) {
      pulling.set(false);
    }
  }

  private void count(Transfer transfer, long startNs) {
    long bytes = transfer.bytes(group.plan().tensors());
    if (transfer.from() != null) {
      counters.pushed(bytes);
    }
    if (transfer.into() != null) {
      counters.pulled(bytes);
      counters.synced(group.config().clock().nanoTime() - startNs);
    }
  }

  /**
   * Ends this worker's part; the others go on without it. Calls under way fail. Servers that are
   * gone are passed over. The connections can be closed, or used to join again, afterwards.
   */
  public Mono<Void> leave() {
    return group.leave();
  }

  /** What was done so far; any thread. */
  public Statistics statistics() {
    return counters.read();
  }

  /** What a worker does with its own initial values when another one's are used. */
  public enum InitialValues {
    /** Overwrite them. */
    ADOPT,
    /** Fail if they are different, then overwrite them. */
    VERIFY
  }

  /**
   * Totals of a client.
   *
   * @param bytesPushed bytes of gradients and initial values sent
   * @param bytesPulled bytes of values received
   * @param syncs exchanges and pulls that succeeded
   * @param lastSyncNs from the subscription to the completion of the last of them, in nanoseconds
   * @param maxSyncNs the longest of them, in nanoseconds
   * @param totalSyncNs all of them, in nanoseconds
   */
  public record Statistics(
      long bytesPushed,
      long bytesPulled,
      long syncs,
      long lastSyncNs,
      long maxSyncNs,
      long totalSyncNs) {}
}
