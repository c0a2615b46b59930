package io.maestro.collective;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
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
 * message is given back, and regions of calls that were under way have no defined contents. When a
 * rank is gone the error is {@link MaestroException.MemberLost}, which names it; form a
 * communicator over connections among the others to go on. The connections are the caller's:
 * nothing here closes them.
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
  private final Duration deadline;
  private final Scheduler timer;
  private final AtomicReference<Turn> last = new AtomicReference<>(Turn.first());
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private Communicator(int rank, List<Connection> others, Duration deadline, Scheduler timer) {
    int size = others.size() + 1;
    Objects.checkIndex(rank, size);
    // a rank is at most two calls ahead, each with one message a step for each slice under way
    int credits = Math.max(LEAST_CREDITS, 2 * 2 * size * SliceWork.UNDER_WAY);
    List<@Nullable RankLink> links = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      links.add(
          i == rank
              ? null
              : new RankLink(others.get(i < rank ? i : i - 1), i, credits, this::fail));
    }
    this.world = new World(rank, links);
    this.deadline = deadline;
    this.timer = timer;
  }

  /**
   * The communicator of this rank with {@link #DEFAULT_DEADLINE}.
   *
   * @param rank from 0 to the number of others
   * @param others a connection with each other rank in the order of their ranks, used for nothing
   *     else
   */
  public static Communicator over(int rank, List<Connection> others) {
    return over(rank, others, DEFAULT_DEADLINE, Schedulers.parallel());
  }

  /**
   * The communicator of this rank.
   *
   * @param rank from 0 to the number of others
   * @param others a connection with each other rank in the order of their ranks, used for nothing
   *     else
   * @param deadline how long a call may take, from when those before it have ended
   * @param timer where deadlines are watched
   */
  public static Communicator over(
      int rank, List<Connection> others, Duration deadline, Scheduler timer) {
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("the deadline must be positive, was " + deadline);
    }
    Communicator communicator = new Communicator(rank, List.copyOf(others), deadline, timer);
    communicator.links().forEach(RankLink::start);
    return communicator;
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
    return call("barrier".hashCode(), tag -> Barrier.run(world, tag));
  }

  /**
   * Copies the root's region into those of all others, which have the same size. Completes when
   * this rank and those it passed the bytes to have them.
   */
  public Mono<Void> broadcast(int root, Region region) {
    Objects.checkIndex(root, size());
    SliceWork broadcast = new Broadcast(world, root, region);
    int what = Objects.hash("broadcast", root, region.size());
    return holding(region, call(what, tag -> broadcast.overAll(region, tag)));
  }

  /**
   * Reduces the regions of all ranks, element by element, into each of them. The result has the
   * same bits on all ranks; which order sums are taken in depends on the size and the world.
   *
   * @param region of the same size on all ranks, a whole number of elements
   */
  public Mono<Void> allReduce(Region region, ElementType type, ReduceOp op) {
    if (region.size() % type.bytes() != 0) {
      throw new IllegalArgumentException(
          "a region of %d bytes is no whole number of %s".formatted(region.size(), type));
    }
    Reduction reduction = new Reduction(type, op);
    int what = Objects.hash("all-reduce", type.name(), op.name(), region.size());
    SliceWork ring = new Ring(world, region, reduction);
    return holding(
        region,
        call(
            what,
            tag ->
                region.size() <= SMALL_BYTES
                    ? new Doubling(world, region, reduction).run(tag)
                    : ring.overAll(region, tag)));
  }

  /** Ends the communicator at once; calls under way fail, here and, by deadline, elsewhere. */
  @Override
  public void close() {
    fail(new MaestroException.Closed("the communicator of rank " + rank() + " was closed"));
  }

  private static Mono<Void> holding(Region region, Mono<Void> call) {
    return Mono.using(region::retain, held -> call, Region::release);
  }

  private Mono<Void> call(int what, Function<Tag, Mono<Void>> work) {
    return Mono.defer(
        () -> {
          Turn before = last.get();
          Turn mine = before.next();
          while (!last.compareAndSet(before, mine)) {
            before = last.get();
            mine = before.next();
          }
          return inTurn(before, mine, what, work);
        });
  }

  private Mono<Void> inTurn(Turn before, Turn mine, int what, Function<Tag, Mono<Void>> work) {
    Tag tag = new Tag(mine.number(), what, 0, 0);
    return before
        .ended()
        .then(Mono.defer(() -> run(tag, work)))
        .doOnError(this::fail)
        .doOnCancel(() -> fail(cancelled(tag)))
        .doFinally(signal -> mine.finish());
  }

  private Mono<Void> run(Tag tag, Function<Tag, Mono<Void>> work) {
    Throwable ended = failure.get();
    if (ended != null) {
      return Mono.error(ended);
    }
    if (size() == 1) {
      return Mono.empty();
    }
    // not timeout(): it would cancel the work before it could be asked for whom it waits
    Mono<Void> tooLate = Mono.delay(deadline, timer).then(Mono.error(this::late));
    return Mono.firstWithSignal(work.apply(tag), tooLate);
  }

  private MaestroException late() {
    String awaited =
        links().stream()
            .filter(RankLink::isAwaited)
            .map(link -> Integer.toString(link.rank()))
            .collect(Collectors.joining(", "));
    return new MaestroException.DeadlineExceeded(
        "a call of rank %d took longer than %s, waiting for ranks [%s]: see that all ranks make the"
                .formatted(rank(), deadline, awaited)
            + " same calls in the same order");
  }

  private static MaestroException cancelled(Tag tag) {
    return new MaestroException.Closed(
        "call %d was cancelled, which ends the communicator".formatted(tag.call()));
  }

  private List<RankLink> links() {
    List<RankLink> links = new ArrayList<>();
    for (RankLink link : world.links()) {
      if (link != null) {
        links.add(link);
      }
    }
    return links;
  }

  private void fail(Throwable cause) {
    if (failure.compareAndSet(null, cause)) {
      links().forEach(link -> link.end(cause));
    }
  }
}
