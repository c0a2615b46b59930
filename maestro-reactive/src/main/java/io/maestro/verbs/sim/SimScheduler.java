package io.maestro.verbs.sim;

import io.maestro.verbs.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** Runs tasks in virtual time, on a loop that no device has. Never ends. */
final class SimScheduler implements Scheduler {
  private final SimLoop loop;

  SimScheduler(Driver driver) {
    loop = new SimLoop(driver);
  }

  @Override
  public Disposable schedule(Runnable task) {
    return new Job(task, 0, null).now();
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    return new Job(task, 0, null).after(unit.toNanos(delay));
  }

  @Override
  public Disposable schedulePeriodically(
      Runnable task, long initialDelay, long period, TimeUnit unit) {
    return new Job(task, periodNs(period, unit), null).after(unit.toNanos(initialDelay));
  }

  private static long periodNs(long period, TimeUnit unit) {
    return Math.max(1, unit.toNanos(period));
  }

  @Override
  public long now(TimeUnit unit) {
    return unit.convert(loop.nanoTime(), TimeUnit.NANOSECONDS);
  }

  @Override
  public Worker createWorker() {
    return new LoopWorker();
  }

  /** A task, once or, with a period, again and again. */
  private final class Job implements Runnable, Disposable {
    private final Runnable task;
    private final long periodNs;
    private final @Nullable LoopWorker owner;
    private volatile boolean disposed;
    private volatile EventLoop.@Nullable Timer timer;

    Job(Runnable task, long periodNs, @Nullable LoopWorker owner) {
      this.task = task;
      this.periodNs = periodNs;
      this.owner = owner;
    }

    Job now() {
      loop.execute(this);
      return this;
    }

    Job after(long delayNs) {
      timer = loop.schedule(delayNs, this);
      return this;
    }

    @Override
    public void run() {
      if (disposed) {
        return;
      }
      try {
        task.run();
      } finally {
        if (periodNs == 0) {
          dispose();
        }
      }
      if (!disposed) {
        after(periodNs);
      }
    }

    @Override
    public void dispose() {
      disposed = true;
      EventLoop.Timer current = timer;
      if (current != null) {
        current.cancel();
      }
      if (owner != null) {
        owner.jobs.remove(this);
      }
    }

    @Override
    public boolean isDisposed() {
      return disposed;
    }
  }

  /** Tasks of one owner, all given up with it. */
  private final class LoopWorker implements Worker {
    private final Disposable.Composite jobs = Disposables.composite();

    @Override
    public Disposable schedule(Runnable task) {
      return keep(new Job(task, 0, this)).now();
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      return keep(new Job(task, 0, this)).after(unit.toNanos(delay));
    }

    @Override
    public Disposable schedulePeriodically(
        Runnable task, long initialDelay, long period, TimeUnit unit) {
      return keep(new Job(task, periodNs(period, unit), this)).after(unit.toNanos(initialDelay));
    }

    private Job keep(Job job) {
      if (!jobs.add(job)) {
        throw new RejectedExecutionException("the worker has been disposed");
      }
      return job;
    }

    @Override
    public void dispose() {
      jobs.dispose();
    }

    @Override
    public boolean isDisposed() {
      return jobs.isDisposed();
    }
  }
}
