package io.maestro.verbs.sim;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/** Runs the timeline and the loops on whichever thread drives, one at a time. */
final class Driver {
  /**
   * How long a loop is busy with a turn, in virtual time: bounds what can happen at one instant.
   */
  static final long TURN_NS = 1_000;

  private static final int QUEUE_CHUNK = 64;
  private static final int MOST_THROWN = 100;

  private final Timeline timeline;
  private final MpscUnboundedAtomicArrayQueue<SimLoop> woken =
      new MpscUnboundedAtomicArrayQueue<>(QUEUE_CHUNK);
  private final ReentrantLock driving = new ReentrantLock();
  private final List<Throwable> thrown = new CopyOnWriteArrayList<>();
  private volatile @Nullable SimLoop current;
  private volatile @Nullable Thread thread;

  Driver(Timeline timeline) {
    this.timeline = timeline;
  }

  Timeline timeline() {
    return timeline;
  }

  /** Something on a loop has thrown; on the driving thread. */
  void threw(Throwable failure) {
    if (thrown.size() < MOST_THROWN) {
      thrown.add(failure);
    }
  }

  List<Throwable> thrown() {
    return List.copyOf(thrown);
  }

  /** Whether the calling thread is inside a turn of this loop. */
  boolean isIn(SimLoop loop) {
    return loop.equals(current) && isDriving();
  }

  boolean isInAnyLoop() {
    return current != null && isDriving();
  }

  private boolean isDriving() {
    return Thread.currentThread().equals(thread);
  }

  /** A loop has something to do; any thread. */
  void wake(SimLoop loop) {
    woken.offer(loop);
  }

  void runTurn(SimLoop loop, Runnable turn) {
    SimLoop before = current;
    current = loop;
    try {
      turn.run();
    } finally {
      current = before;
    }
  }

  boolean runUntil(BooleanSupplier condition, long limitNs) {
    if (isInAnyLoop()) {
      throw new IllegalStateException("a loop of the fabric cannot drive the fabric");
    }
    driving.lock();
    Thread before = thread;
    thread = Thread.currentThread();
    try {
      return run(condition, limitNs);
    } finally {
      thread = before;
      driving.unlock();
    }
  }

  /** Does something as the driving thread, but lets no time pass. */
  void exclusively(Runnable action) {
    if (isInAnyLoop()) {
      action.run();
      return;
    }
    driving.lock();
    Thread before = thread;
    thread = Thread.currentThread();
    try {
      action.run();
    } finally {
      thread = before;
      driving.unlock();
    }
  }

  private boolean run(BooleanSupplier condition, long limitNs) {
    boolean holds = condition.getAsBoolean();
    while (!holds) {
      SimLoop loop = woken.poll();
      if (loop != null) {
        holds = loop.wakeNow() && condition.getAsBoolean();
      } else if (timeline.isDue()) {
        timeline.fireNext();
      } else if (timeline.nowNs() >= limitNs) {
        break;
      } else {
        timeline.advance(limitNs);
      }
    }
    return holds;
  }
}
