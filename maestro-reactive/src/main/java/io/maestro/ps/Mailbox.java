package io.maestro.ps;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import reactor.core.scheduler.Scheduler;

/**
 * Runs tasks one after the other on a scheduler. Unlike a {@link Scheduler.Worker} it never drops a
 * task, so that one which holds a message always gets to release it: when the scheduler is gone,
 * tasks run on the thread that brings them.
 */
final class Mailbox {

  private final Scheduler scheduler;
  private final Consumer<Throwable> onError;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  Mailbox(Scheduler scheduler, Consumer<Throwable> onError) {
    this.scheduler = scheduler;
    this.onError = onError;
  }

  void execute(Runnable task) {
    tasks.add(task);
    if (waiting.getAndIncrement() == 0) {
      try {
        scheduler.schedule(this::drain);
      } catch (RejectedExecutionException e) {
        drain();
      }
    }
  }

  private void drain() {
    int left;
    do {
      Runnable task = tasks.poll();
      if (task == null) {
        throw new IllegalStateException("fewer tasks than counted");
      }
      run(task);
      left = waiting.decrementAndGet();
    } while (left != 0);
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | LinkageError e) {
      onError.accept(e);
    }
  }
}
