package io.maestro.collective;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import io.maestro.collective.Formation.Formed;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A rank's part in a group that works together. Calls are made by all ranks, in the same order:
 * they are numbered when they are subscribed to, and run one after the other.
 *
 * <p>Publishers are cold; each subscription is a call of its own. Regions are worked on in place:
 * they are retained until the call ends and must not be touched before. Methods may be called from
 * any thread and never block; signals and the reduction come on the delivery scheduler of the
 * connections.
 *
 * <p>A call that fails, is cancelled or takes longer than the deadline leaves the ranks at
 * different places, so it ends the communicator: all further calls fail with the same error, every
 * message is given back, and regions of calls that were under way have no defined contents. The
 * others are told before calls fail, at most for a second. When a rank is gone the error is {@link
 * MaestroException.MemberLost} on all others, which names it; {@link #reform()} goes on without it.
 */
public final class Communicator implements AutoCloseable {

  /** How long a call may take unless told otherwise. */
  public static final Duration DEFAULT_DEADLINE = Duration.ofMinutes(1);

  /**
   * Regions of up to this many bytes are all-reduced by recursive doubling: what one SEND takes.
   */
  static final long SMALL_BYTES = 16L * 1024;

  private static final int LEAST_CREDITS = 64;

  private final World world;
  private final Calls calls;
  private final @Nullable Formed formed;

  private Communicator(Formed formed) {
    this(
        formed.meeting().place(),
        formed.meeting().others(),
        formed.formation().deadline(),
        formed.formation().timer(),
        formed);
  }

  private Communicator(
      int rank,
      List<Connection> others,
      Duration deadline,
      Scheduler timer,
      @Nullable Formed formed) {
    this.formed = formed;
    int size = others.size() + 1;
    Objects.checkIndex(rank, size);
    List<@Nullable RankLink> links = new ArrayList<>();
    for (Connection other : others) {
      int number = links.size() < rank ? links.size() : links.size() + 1;
      links.add(new RankLink(other, number, credits(size)));
    }
    calls = new Calls(rank, deadline, timer, links.stream().map(Objects::requireNonNull).toList());
    links.add(rank, null);
    world = new World(rank, links, new Scratch(SMALL_BYTES));
    calls.start();
  }

  /**
   * Messages that a peer may send before this rank takes one: of two calls, in each of which a ring
   * sends {@code 2 (n - 1)} for each slice under way; and those of a direct send with what confirms
   * one; and a notice.
   */
  private static int credits(int size) {
    return Math.max(LEAST_CREDITS, (2 * 2 * (size - 1) + 2) * SliceWork.UNDER_WAY + 1);
  }

  /**
   * Meets the other ranks and forms a communicator with {@link #DEFAULT_DEADLINE}. Completes when
   * all ranks have; fails as {@link Rendezvous#meet} does. Cancelling gives up.
   */
  public static Mono<Communicator> form(Rendezvous rendezvous) {
    return form(rendezvous, DEFAULT_DEADLINE, Schedulers.parallel());
  }

  /**
   * Meets the other ranks and forms a communicator.
   *
   * @param deadline how long a call may take, from when those before it have ended
   * @param timer where deadlines are watched
   */
  public static Mono<Communicator> form(Rendezvous rendezvous, Duration deadline, Scheduler timer) {
    requirePositive(deadline);
    return new Formation(rendezvous, deadline, timer).first(Communicator::new);
  }

  /**
   * The communicator of this rank over connections that are there, with {@link #DEFAULT_DEADLINE}.
   *
   * @param rank from 0 to the number of others
   * @param others a connection with each other rank in the order of their ranks, used for nothing
   *     else; they remain the caller's and are not closed
   */
  public static Communicator over(int rank, List<Connection> others) {
    return over(rank, others, DEFAULT_DEADLINE, Schedulers.parallel());
  }

  /**
   * The communicator of this rank over connections that are there.
   *
   * @param rank from 0 to the number of others
   * @param others a connection with each other rank in the order of their ranks, used for nothing
   *     else; they remain the caller's and are not closed
   * @param deadline how long a call may take, from when those before it have ended
   * @param timer where deadlines are watched
   */
  public static Communicator over(
      int rank, List<Connection> others, Duration deadline, Scheduler timer) {
    requirePositive(deadline);
    return new Communicator(rank, List.copyOf(others), deadline, timer, null);
  }

  private static void requirePositive(Duration deadline) {
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("the deadline must be positive, was " + deadline);
    }
  }

  /**
   * Forms a communicator of the ranks that are left, numbered anew in their order: all that are not
   * known to be lost and do the same. Ends this one if nothing has yet. Ranks that do not come
   * within the limit of the rendezvous are left behind. Completes when all members have formed it;
   * fails with {@code Rejected} when the others have left this rank behind, and with {@code
   * Unsupported} when this one was not formed at a rendezvous.
   */
  public Mono<Communicator> reform() {
    Formed from = formed;
    if (from == null) {
      return Mono.error(
          new MaestroException.Unsupported(
              "this communicator was made over connections: make one over those with the ranks"
                  + " that are left",
              null));
    }
    Ending ending = calls.ending();
    return Mono.defer(
        () -> {
          ending.onFailure(new MaestroException.Closed("the communicator is formed anew"));
          return ending
              .told()
              .then(Mono.defer(() -> from.again(ending.lost(), Communicator::new)))
              .doFinally(signal -> from.close());
        });
  }

  /**
   * The numbers that the ranks had when a communicator was first formed here: that of rank {@code
   * i} is at {@code i}.
   */
  public List<Integer> members() {
    return formed == null
        ? IntStream.range(0, size()).boxed().toList()
        : formed.meeting().members();
  }

  /** This rank, from 0. */
  public int rank() {
    return world.rank();
  }

  /** The number of ranks. */
  public int size() {
    return world.size();
  }

  /** Completes on no rank before it has been called on all. */
  public Mono<Void> barrier() {
    return calls.collective("barrier".hashCode(), tag -> Barrier.run(world, tag));
  }

  /**
   * Copies the root's region into those of all others, which have the same size. Completes when
   * this rank and those it passed the bytes to have them.
   */
  public Mono<Void> broadcast(int root, Region region) {
    Objects.checkIndex(root, size());
    SliceWork broadcast = new Broadcast(world, root, region);
    return call(region, Objects.hash("broadcast", root, region.size()), broadcast::run);
  }

  /**
   * Reduces the regions of all ranks, element by element, into each of them. The result has the
   * same bits on all ranks; which order sums are taken in depends on the size and the world.
   *
   * @param region of the same size on all ranks, a whole number of elements
   */
  public Mono<Void> allReduce(Region region, ElementType type, ReduceOp op) {
    Reduction reduction = new Reduction(type, op);
    SliceWork ring = Ring.allReduce(world, blocks(region, type), reduction);
    int what = Objects.hash("all-reduce", type.name(), op.name(), region.size());
    return reducing(region, what, reduction, ring);
  }

  /**
   * The same for the tensors of a step, bucket by bucket as they become ready here. The deadline is
   * for all of it, with the time until the first tensor is ready.
   *
   * @param buckets of the same sizes on all ranks, tensors of whole elements
   */
  public Mono<Void> allReduce(Buckets buckets, ElementType type, ReduceOp op) {
    buckets.sizes().forEach(bytes -> requireWhole(bytes, type));
    Gated rings = Ring.allReduce(world, buckets, new Reduction(type, op));
    int what = Objects.hash("buckets", type.name(), op.name(), buckets.sizes());
    return call(buckets.region(), what, rings::run);
  }

  /**
   * Reduces the regions of all ranks, element by element, into that of one. The others' are working
   * memory and have no defined contents afterwards.
   *
   * @param root the rank that gets the result
   * @param region of the same size on all ranks, a whole number of elements
   */
  public Mono<Void> reduce(int root, Region region, ElementType type, ReduceOp op) {
    Objects.checkIndex(root, size());
    Reduction reduction = new Reduction(type, op);
    Blocks blocks = blocks(region, type);
    SliceWork work = new Reduce(world, root, blocks, Ring.reduceScatter(world, blocks, reduction));
    int what = Objects.hash("reduce", root, type.name(), op.name(), region.size());
    return reducing(region, what, reduction, work);
  }

  /**
   * Reduces the regions of all ranks, element by element, and leaves each rank its {@link #block}
   * of the result in place. The rest of the region has no defined contents afterwards.
   *
   * @param region of the same size on all ranks, a whole number of elements
   */
  public Mono<Void> reduceScatter(Region region, ElementType type, ReduceOp op) {
    Reduction reduction = new Reduction(type, op);
    SliceWork ring = Ring.reduceScatter(world, blocks(region, type), reduction);
    int what = Objects.hash("reduce-scatter", type.name(), op.name(), region.size());
    return reducing(region, what, reduction, ring);
  }

  /** Small regions are reduced as a whole, in fewer rounds than a ring has. */
  private Mono<Void> reducing(Region region, int what, Reduction reduction, SliceWork large) {
    return region.size() <= SMALL_BYTES
        ? call(region, what, new Doubling(world, region, reduction)::run)
        : call(region, what, large::run);
  }

  /**
   * Copies each rank's {@link #block} of its region into the regions of all others.
   *
   * @param region of the same size on all ranks, a whole number of elements
   */
  public Mono<Void> allGather(Region region, ElementType type) {
    Blocks blocks = blocks(region, type);
    SliceWork work =
        region.size() <= SMALL_BYTES
            ? Exchange.allGather(world, blocks)
            : Ring.allGather(world, blocks);
    return call(region, Objects.hash("all-gather", type.name(), region.size()), work::run);
  }

  /**
   * Sends each other rank a block of the region and puts the block that comes from it in its place:
   * block {@code i} of rank {@code j} and block {@code j} of rank {@code i} change places.
   *
   * @param region of the same size on all ranks: a block of the same number of bytes for each rank,
   *     in their order
   */
  public Mono<Void> allToAll(Region region) {
    if (region.size() % size() != 0) {
      throw new IllegalArgumentException(
          "a region of %d bytes has no blocks of one size for %d ranks"
              .formatted(region.size(), size()));
    }
    SliceWork work = Exchange.allToAll(world, Blocks.of(region, 1, size()));
    return call(region, Objects.hash("all-to-all", region.size()), work::run);
  }

  /**
   * A rank's block of a region, in the same memory: elements are dealt out in the order of the
   * ranks, and blocks differ by one element at most.
   *
   * @param region a whole number of elements
   */
  public MemorySegment block(int rank, Region region, ElementType type) {
    Objects.checkIndex(rank, size());
    return blocks(region, type).block(rank).memory();
  }

  private Blocks blocks(Region region, ElementType type) {
    requireWhole(region.size(), type);
    return Blocks.of(region, type.bytes(), size());
  }

  private static void requireWhole(long bytes, ElementType type) {
    if (bytes % type.bytes() != 0) {
      throw new IllegalArgumentException(
          "a region of %d bytes is no whole number of %s".formatted(bytes, type));
    }
  }

  /**
   * Sends a region to one other rank, which receives it with {@link #receive}. Calls between two
   * ranks are numbered for themselves: they run beside the calls of all ranks, the first sent is
   * the first received, and those in one direction run one after the other. Completes when the
   * other rank has put the bytes into its region.
   */
  public Mono<Void> send(int to, Region region) {
    DirectLane lane = other(to).sends();
    return direct(lane, new Direct(world, to, region, true));
  }

  /**
   * Receives a region from one other rank, which sends it with {@link #send}.
   *
   * @param region of the size of the sender's
   */
  public Mono<Void> receive(int from, Region region) {
    DirectLane lane = other(from).receives();
    return direct(lane, new Direct(world, from, region, false));
  }

  private Mono<Void> direct(DirectLane lane, Direct work) {
    Region region = work.region();
    return holding(region, calls.inTurn(lane.turns(), () -> work.run(lane.begin(region.size()))));
  }

  private RankLink other(int rank) {
    Objects.checkIndex(rank, size());
    return world.link(rank);
  }

  /**
   * Leaves: calls under way here fail with {@code Closed}. Those of others that have all they need
   * from this rank complete, all further ones fail with {@code MemberLost}. Completes when the
   * others have all that this rank sent and know that it leaves, or after a second; only then may
   * the {@code Maestro} be closed. Never fails. Closes the connections that were made to form the
   * communicator, at once when it is cancelled.
   */
  public Mono<Void> leave() {
    return Mono.defer(
        () -> {
          Ending ending = calls.ending();
          ending.leave(
              new MaestroException.Closed("the communicator of rank " + rank() + " was closed"));
          Formed from = formed;
          return ending.told().doFinally(signal -> closeConnections(from));
        });
  }

  private static void closeConnections(@Nullable Formed from) {
    if (from != null) {
      from.close();
    }
  }

  /** {@link #leave() Leaves} without waiting. */
  @Override
  public void close() {
    leave().subscribe();
  }

  private Mono<Void> call(Region region, int what, Function<Tag, Mono<Void>> work) {
    return holding(region, calls.collective(what, work));
  }

  private static Mono<Void> holding(Region region, Mono<Void> call) {
    return Mono.using(region::retain, held -> call, Region::release);
  }
}
