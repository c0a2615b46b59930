package io.maestro.session;

import io.maestro.api.PathSample;
import io.maestro.path.EarliestCompletion;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Hands the chunks of all transfers to the paths: the next chunk of the transfer whose turn it is
 * goes to the path with the earliest expected completion. Session's loop only; allocates nothing
 * per chunk.
 */
final class FanOut {
  private final PathTable paths;
  private final Balance balance;
  private final ChunkPool pool = new ChunkPool();
  private final Lanes lanes = new Lanes();
  private final ArrayDeque<Chunk> again = new ArrayDeque<>();
  private final Set<Transfer> active = new HashSet<>();

  FanOut(PathTable paths, Balance balance) {
    this.paths = paths;
    this.balance = balance;
  }

  /** Takes a transfer; {@link #run} moves it. */
  void add(Transfer transfer) {
    active.add(transfer);
    Lane lane = new Lane(transfer);
    new Decomposer(transfer, pool).subscribe(lane);
    lanes.add(lane);
  }

  /** A transfer has ended. */
  void remove(Transfer transfer) {
    active.remove(transfer);
  }

  /** Issues as many chunks as the paths have room for. */
  void run() {
    while (issueOne()) {
      // each turn moves one chunk
    }
    paths.wakeTouched();
    balance.watch();
  }

  private boolean issueOne() {
    Chunk repeated = repeated();
    Lane lane = repeated == null ? lanes.next() : null;
    if (repeated == null && lane == null) {
      return false;
    }
    int path = lane == null ? choose(repeated) : choose(lane.transfer());
    if (path < 0) {
      return false;
    }
    paths.offer(path, lane == null ? again.removeFirst() : lane.take());
    return true;
  }

  private @Nullable Chunk repeated() {
    Chunk chunk;
    while ((chunk = again.peekFirst()) != null && chunk.transfer().stopped()) {
      drop(again.removeFirst());
    }
    return chunk;
  }

  private int choose(@Nullable Chunk chunk) {
    return chunk == null ? EarliestCompletion.WAIT : balance.choose(chunk.length(), 0);
  }

  private int choose(Transfer transfer) {
    int length = transfer.nextLength();
    long backlog = transfer.remainingBytes() - length;
    return balance.choose(length, backlog);
  }

  /** A chunk has come back from a path: it is in place at the peer. */
  void acknowledged(int path, Chunk chunk) {
    paths.settle(path, chunk.length());
    arrived(chunk);
  }

  /** A chunk of a path that is gone turned out to be in place at the peer. */
  void arrived(Chunk chunk) {
    Transfer transfer = chunk.transfer();
    pool.give(chunk);
    transfer.chunkDone();
  }

  /** A chunk has come back from a path that was lost; it goes to another one. */
  void repeat(Chunk chunk) {
    if (chunk.transfer().stopped()) {
      drop(chunk);
    } else {
      again.addLast(chunk);
    }
  }

  /** A chunk will not be sent. */
  void drop(Chunk chunk) {
    Transfer transfer = chunk.transfer();
    pool.give(chunk);
    transfer.chunkDropped();
  }

  /** The session ends: stops every transfer; chunks that wait for another path are dropped. */
  void stopAll(Throwable reason) {
    for (Transfer transfer : Set.copyOf(active)) {
      transfer.stop(reason);
    }
    Chunk chunk;
    while ((chunk = again.pollFirst()) != null) {
      drop(chunk);
    }
    balance.end();
  }

  /** What is seen of the paths. Any thread. */
  Flux<PathSample> samples() {
    return balance.samples();
  }

  Balance balance() {
    return balance;
  }

  /** Whether no transfer is under way. */
  boolean idle() {
    return active.isEmpty();
  }

  /** Chunk descriptors in use: 0 when idle. */
  int descriptorsInUse() {
    return pool.taken();
  }
}
