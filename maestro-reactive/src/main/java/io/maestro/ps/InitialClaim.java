package io.maestro.ps;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Decides whose initial values are used: those of the first worker that asks and lives until it has
 * given them all. The others wait. The first server decides for all servers. Runs in the mailbox.
 */
final class InitialClaim {

  /** The answer's step says what the worker is to do. */
  static final long GIVE = 1;

  static final long TAKE = 2;

  private final ShardHost host;
  private final Deque<Wait> waits = new ArrayDeque<>();
  private int source = -1;
  private long hash;
  private boolean done;

  InitialClaim(ShardHost host) {
    this.host = host;
  }

  /** The call's step is 1 when its hash must be that of the values in use. */
  void claim(Call call) {
    if (done) {
      answerTake(call);
    } else if (source < 0) {
      source = call.rank();
      hash = call.header().argument();
      call.answer(GIVE);
    } else if (source == call.rank()) {
      call.answer(GIVE);
    } else {
      waits.add(new Wait(call, host.deadline(() -> expire(call), call.header().timeoutMs())));
    }
  }

  void done(Call call) {
    if (call.rank() == source && !done) {
      done = true;
      Wait wait;
      while ((wait = waits.poll()) != null) {
        wait.deadline().dispose();
        answerTake(wait.call());
      }
    }
    call.answer(0);
  }

  /** The next one takes over from a source that has gone too early. */
  void leave(int rank) {
    waits.removeIf(wait -> refuseIfOf(rank, wait));
    if (rank == source && !done) {
      source = -1;
      Wait next = waits.poll();
      if (next != null) {
        next.deadline().dispose();
        claim(next.call());
      }
    }
  }

  void refuseWaits(Refusal refusal) {
    waits.forEach(wait -> wait.refuse(refusal));
    waits.clear();
  }

  private void answerTake(Call call) {
    boolean verify = call.header().step() == 1;
    if (verify && call.header().argument() != hash) {
      call.refuse(
          new Refusal(
              Status.INITIAL_VALUES_DIFFER,
              "worker %d starts from other values than worker %d; use the same seed, or adopt them"
                  .formatted(call.rank(), source)));
    } else {
      call.answer(TAKE);
    }
  }

  private void expire(Call call) {
    Wait wait = find(call);
    if (wait != null) {
      waits.remove(wait);
      wait.refuse(
          new Refusal(
              Status.DEADLINE, "worker " + source + " has not finished giving the initial values"));
    }
  }

  private @Nullable Wait find(Call call) {
    return waits.stream().filter(wait -> wait.call().equals(call)).findAny().orElse(null);
  }

  private static boolean refuseIfOf(int rank, Wait wait) {
    boolean gone = wait.call().rank() == rank;
    if (gone) {
      wait.refuse(new Refusal(Status.NOT_A_MEMBER, "the worker left"));
    }
    return gone;
  }
}
