package io.maestro.verbs.sim;

import io.maestro.verbs.EventLoop;

/** A timer of a loop. */
final class SimTimer extends SimEvent implements EventLoop.Timer, Runnable {
  private final SimLoop loop;
  private final long dueNs;
  private final Runnable task;
  private volatile boolean cancelled;

  SimTimer(SimLoop loop, long dueNs, Runnable task) {
    this.loop = loop;
    this.dueNs = dueNs;
    this.task = task;
  }

  void start(Timeline timeline) {
    if (!cancelled) {
      timeline.at(dueNs, this);
    }
  }

  @Override
  void fire() {
    if (!cancelled && !loop.isEnded()) {
      loop.isDue(this);
    }
  }

  @Override
  public void run() {
    if (!cancelled) {
      task.run();
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
  }
}
