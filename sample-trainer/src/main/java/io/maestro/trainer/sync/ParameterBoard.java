package io.maestro.trainer.sync;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The rounds of synchronous training: every worker hands in its gradients, the last one's thread
 * computes the new parameters, and all go on. Any thread may call; a call returns at once but for
 * the one that computes.
 *
 * <p>The parameters are stable while a worker copies them: the next round needs its gradients.
 */
final class ParameterBoard {

  private final ReentrantLock lock = new ReentrantLock();
  private final MemorySegment parameters;
  private final Sgd sgd;
  private final boolean elastic;
  private final SequencedMap<Integer, Member> members = new TreeMap<>();
  private final Sinks.Empty<Void> finished = Sinks.empty();

  /** Signals decided under the lock and sent after it, so that no receiver runs inside it. */
  private final List<Runnable> signals = new ArrayList<>();

  private int expected;
  private boolean started;
  private long round;
  private boolean anyLost;
  private @Nullable SyncException failure;

  /** A worker: what it has handed in for this round, and whom to tell when the round is over. */
  private static final class Member {
    private @Nullable MemorySegment gradients;
    private Sinks.Empty<Void> turn = Sinks.empty();
  }

  /**
   * A board that waits for its workers.
   *
   * @param elastic whether the others go on when a worker is lost
   */
  ParameterBoard(MemorySegment parameters, Sgd sgd, int workers, boolean elastic) {
    this.parameters = parameters;
    this.sgd = sgd;
    this.expected = workers;
    this.elastic = elastic;
  }

  /** The current parameters: to be read between a completed call and the next push only. */
  MemorySegment parameters() {
    return parameters;
  }

  /** When the last worker has left: completes, or fails with the first loss. */
  Mono<Void> finished() {
    return finished.asMono();
  }

  /** Adds a worker; completes when all are there. */
  Mono<Void> join(int rank) {
    return underLock(
        () -> {
          if (failure != null) {
            return Mono.error(failure);
          }
          if (started || members.containsKey(rank)) {
            return Mono.error(
                new SyncException(
                    started
                        ? "worker " + rank + " comes too late: the run has started"
                        : "there are two workers with rank " + rank,
                    null));
          }
          Member member = new Member();
          members.put(rank, member);
          startIfAllAreThere();
          return member.turn.asMono();
        });
  }

  /** Takes a worker's gradients; completes when the parameters are those of the next round. */
  Mono<Void> push(int rank, long step, MemorySegment gradients) {
    return underLock(
        () -> {
          Member member = members.get(rank);
          if (failure != null || member == null) {
            return Mono.error(failure != null ? failure : notJoined(rank));
          }
          if (step != round) {
            return Mono.error(
                new SyncException(
                    "worker %d is at step %d, the server at step %d".formatted(rank, step, round),
                    null));
          }
          member.gradients = gradients;
          member.turn = Sinks.empty();
          Mono<Void> turn = member.turn.asMono();
          endRoundIfAllAreIn();
          return turn;
        });
  }

  /** A worker has left: in order without a cause, lost with one. */
  void leave(int rank, @Nullable Throwable cause) {
    underLock(
        () -> {
          Member member = members.remove(rank);
          if (member == null) {
            return Mono.empty();
          }
          expected--;
          if (!elastic || expected == 0) {
            endRun(new SyncException(farewell(rank, cause), cause), cause != null);
          } else if (started) {
            endRoundIfAllAreIn();
          } else {
            startIfAllAreThere();
          }
          return Mono.empty();
        });
  }

  private String farewell(int rank, @Nullable Throwable cause) {
    String reason = cause == null ? "it ended early" : String.valueOf(cause.getMessage());
    return "worker %d is gone after %d steps: %s".formatted(rank, round, reason);
  }

  private static SyncException notJoined(int rank) {
    return new SyncException("worker " + rank + " has not joined or has left", null);
  }

  private void startIfAllAreThere() {
    if (members.size() == expected) {
      started = true;
      members.values().forEach(member -> signals.add(member.turn::tryEmitEmpty));
    }
  }

  private void endRoundIfAllAreIn() {
    List<MemorySegment> gradients = new ArrayList<>();
    for (Member member : members.values()) {
      if (member.gradients == null) {
        return;
      }
      gradients.add(member.gradients);
    }
    if (gradients.isEmpty()) {
      return;
    }
    sgd.step(parameters, gradients);
    round++;
    for (Member member : members.values()) {
      member.gradients = null;
      signals.add(member.turn::tryEmitEmpty);
    }
  }

  private void endRun(SyncException farewell, boolean lost) {
    if (failure == null) {
      failure = farewell;
    }
    SyncException first = failure;
    for (Member member : members.values()) {
      Sinks.Empty<Void> turn = member.turn;
      signals.add(() -> turn.tryEmitError(first));
    }
    anyLost |= lost;
    // Not before the last has left: those that are there still have to hear of the loss.
    if (members.isEmpty()) {
      signals.add(anyLost ? () -> finished.tryEmitError(first) : finished::tryEmitEmpty);
    }
  }

  private Mono<Void> underLock(Supplier<Mono<Void>> action) {
    List<Runnable> due;
    Mono<Void> result;
    lock.lock();
    try {
      result = action.get();
      due = List.copyOf(signals);
      signals.clear();
    } finally {
      lock.unlock();
    }
    due.forEach(Runnable::run);
    return result;
  }
}
