package io.maestro.ps;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Decides, for one shard, which gradient counts, when to apply and who may go on. Every member has
 * a clock: the last step of which its gradient is in the values. The shard's version is the lowest
 * clock, and never falls. A gradient for step {@code k} is taken, and values are given to a worker
 * that has pushed step {@code k}, only while the version is at least {@code k} less the staleness;
 * a barrier is a staleness of 0 with all gradients of a step applied at once. Not thread-safe.
 */
final class Progress {

  /** What becomes of a gradient. */
  enum Verdict {
    /** It counts. */
    ACCEPTED,
    /** It has been counted before. */
    DUPLICATE,
    /** It is ahead of its time. */
    EARLY
  }

  private final boolean synchronous;
  private final int staleness;
  private final SortedMap<Integer, Long> clocks = new TreeMap<>();
  private final SortedMap<Integer, Long> held = new TreeMap<>();
  private final SortedMap<Integer, Long> batch = new TreeMap<>();
  private boolean started;
  private boolean applying;
  private long version;

  Progress(Consistency consistency) {
    synchronous = consistency instanceof Consistency.Synchronous;
    staleness = consistency.staleness();
  }

  /** The step up to which all updates are in the values. */
  long version() {
    return version;
  }

  /** The last step at which a worker can no longer enter. */
  long complete() {
    return applying ? version + 1 : version;
  }

  /** All expected workers are there. */
  void start() {
    started = true;
    advance();
  }

  /** The worker pushes from {@code firstStep} on, which must be above {@link #complete}. */
  void enter(int rank, long firstStep) {
    clocks.put(rank, firstStep - 1);
    advance();
  }

  /** The worker's pushes count no more, except those being applied. */
  void leave(int rank) {
    clocks.remove(rank);
    held.remove(rank);
    batch.remove(rank);
    advance();
  }

  Verdict offer(int rank, long step) {
    long clock = clocks.getOrDefault(rank, 0L);
    Long pending = held.getOrDefault(rank, batch.get(rank));
    if (step <= clock || (pending != null && pending == step)) {
      return Verdict.DUPLICATE;
    }
    if (pending != null || step > clock + 1 || step - 1 - staleness > version) {
      return Verdict.EARLY;
    }
    held.put(rank, step);
    return Verdict.ACCEPTED;
  }

  boolean mayRead(int rank, long step) {
    return clocks.getOrDefault(rank, 0L) >= step && version >= step - staleness;
  }

  /** The ranks, in order, whose gradients are to be applied now; empty if it is not time yet. */
  List<Integer> begin() {
    if (applying || !started || held.isEmpty() || (synchronous && !missing().isEmpty())) {
      return List.of();
    }
    batch.putAll(held);
    held.clear();
    applying = true;
    return List.copyOf(batch.keySet());
  }

  /** What {@link #begin} returned is in the values. */
  void applied() {
    batch.forEach((rank, step) -> clocks.computeIfPresent(rank, (r, clock) -> step));
    batch.clear();
    applying = false;
    advance();
  }

  /** By how many to divide the sum of {@code gradients} gradients. */
  int divisor(int gradients) {
    return synchronous ? gradients : Math.max(gradients, clocks.size());
  }

  /** The members whose gradient the next version waits for. */
  List<Integer> missing() {
    return clocks.entrySet().stream()
        .filter(e -> e.getValue() <= version)
        .map(Map.Entry::getKey)
        .filter(rank -> !held.containsKey(rank) && !batch.containsKey(rank))
        .toList();
  }

  private void advance() {
    if (started && !clocks.isEmpty() && !applying) {
      long slowest = clocks.values().stream().mapToLong(Long::longValue).min().orElse(version);
      version = Math.max(version, slowest);
    }
  }
}
