package io.maestro.ps;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * What the shards of a server have in common: settings, the mailbox, and the scheduler on which
 * updates run beside it.
 *
 * @param describe names workers by their ranks
 * @param updates counts those that succeeded
 */
record ShardHost(
    PsConfig config,
    ShardUpdate update,
    Mailbox mailbox,
    Function<List<Integer>, String> describe,
    Consumer<Throwable> onUpdateFailed,
    LongAdder updates) {

  String describe(List<Integer> ranks) {
    return describe.apply(ranks);
  }

  /** Runs a task in the mailbox when the time has come, at most the configured deadline. */
  Disposable deadline(Runnable task, int timeoutMs) {
    Duration limit = config.deadline();
    long ns = Math.min(limit.toNanos(), TimeUnit.MILLISECONDS.toNanos(Math.max(0, timeoutMs)));
    Scheduler scheduler = config.scheduler();
    return scheduler.schedule(() -> mailbox.execute(task), ns, TimeUnit.NANOSECONDS);
  }

  /** Runs an update on the scheduler and then tells, in the mailbox, whether it succeeded. */
  void aggregate(Runnable task, Consumer<Boolean> then) {
    Runnable guarded =
        () -> {
          boolean succeeded = run(task);
          mailbox.execute(() -> then.accept(succeeded));
        };
    try {
      config.scheduler().schedule(guarded);
    } catch (RejectedExecutionException e) {
      then.accept(false);
      onUpdateFailed.accept(e);
    }
  }

  private boolean run(Runnable task) {
    try {
      task.run();
      updates.increment();
      return true;
    } catch (RuntimeException | LinkageError | AssertionError e) {
      mailbox.execute(() -> onUpdateFailed.accept(e));
      return false;
    }
  }
}
