package io.maestro.verbs.sim;

import io.maestro.verbs.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An event loop without a thread of its own: the driving thread runs its turns. */
final class SimLoop implements EventLoop {
  private static final Logger LOG = LoggerFactory.getLogger(SimLoop.class);
  private static final int QUEUE_CHUNK = 256;
  private static final int MOST_LAST_TURNS = 1_000;

  /** What the network brought for this loop. */
  interface News {
    void handle();
  }

  private final Driver driver;
  private final MpscUnboundedAtomicArrayQueue<Runnable> tasks =
      new MpscUnboundedAtomicArrayQueue<>(QUEUE_CHUNK);
  private final ArrayDeque<News> news = new ArrayDeque<>();
  private final ArrayDeque<SimTimer> due = new ArrayDeque<>();
  private final AtomicBoolean woken = new AtomicBoolean();
  private final Runnable turn = this::turn;
  private final SimEvent nextTurn = new NextTurn();
  private long freeAtNs = Long.MIN_VALUE;
  private Runnable ending = () -> {};
  private boolean isEnding;
  private boolean frozen;
  private volatile boolean ended;

  private final class NextTurn extends SimEvent {
    @Override
    void fire() {
      driver.wake(SimLoop.this);
    }
  }

  SimLoop(Driver driver) {
    this.driver = driver;
  }

  @Override
  public boolean inLoop() {
    return driver.isIn(this);
  }

  @Override
  public long nanoTime() {
    return driver.timeline().nowNs();
  }

  @Override
  public void execute(Runnable task) {
    if (ended) {
      throw new RejectedExecutionException("the loop has ended: its device is closed");
    }
    tasks.offer(task);
    wake();
  }

  @Override
  public Timer schedule(long delayNs, Runnable task) {
    SimTimer timer = new SimTimer(this, nanoTime() + Math.max(0, delayNs), task);
    if (driver.isInAnyLoop()) {
      timer.start(driver.timeline());
    } else {
      execute(() -> timer.start(driver.timeline()));
    }
    return timer;
  }

  /** On the driving thread. */
  void post(News item) {
    news.add(item);
    wake();
  }

  /** On the driving thread. */
  void isDue(SimTimer timer) {
    due.add(timer);
    wake();
  }

  private void wake() {
    if (!woken.getAndSet(true)) {
      driver.wake(this);
    }
  }

  /** On the driving thread. */
  void setFrozen(boolean isFrozen) {
    frozen = isFrozen;
    if (!frozen) {
      driver.wake(this);
    }
  }

  /** Has a turn now unless it is frozen or the last is not over; returns whether it had one. */
  boolean wakeNow() {
    if (frozen) {
      return false; // it stays woken until it is thawed
    }
    long nowNs = nanoTime();
    if (nowNs < freeAtNs) {
      if (!nextTurn.isQueued()) {
        driver.timeline().at(freeAtNs, nextTurn);
      }
      return false;
    }
    freeAtNs = nowNs + Driver.TURN_NS;
    woken.set(false);
    driver.runTurn(this, turn);
    if (!tasks.isEmpty()) {
      wake();
    }
    return true;
  }

  private void turn() {
    handleNews();
    runTasks();
    runTimers();
    if (isEnding) {
      end();
    }
  }

  private void handleNews() {
    for (int left = news.size(); left > 0; left--) {
      news.remove().handle();
    }
  }

  private void runTasks() {
    for (int left = tasks.size(); left > 0; left--) {
      Runnable task = tasks.poll();
      if (task != null) {
        runSafely(task);
      }
    }
  }

  private void runTimers() {
    for (int left = due.size(); left > 0; left--) {
      runSafely(due.remove());
    }
  }

  /** A task, a timer or a handler has thrown; on the driving thread. */
  void threw(Throwable failure) {
    driver.threw(failure);
  }

  private void runSafely(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      threw(e);
      LOG.error("A task of a simulated loop failed; the loop goes on", e);
    }
  }

  /** Ends in this or the next turn, after an action that closes what lives on the loop. */
  void endSoon(Runnable action) {
    ending = action;
    isEnding = true;
    wake();
  }

  /** Ends now; outside any loop, on the driving thread. */
  void endNow(Runnable action) {
    ending = action;
    driver.runTurn(this, this::end);
  }

  private void end() {
    if (ended) {
      return;
    }
    runTasks();
    ending.run();
    for (int turns = 0; turns < MOST_LAST_TURNS && !(news.isEmpty() && tasks.isEmpty()); turns++) {
      handleNews();
      runTasks();
    }
    ended = true;
    due.clear();
  }

  boolean isEnded() {
    return ended;
  }
}
