package io.maestro.verbs.iwarp;

import io.maestro.verbs.EventLoop;
import io.maestro.verbs.SystemClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread with a selector, the connections on it, its tasks and its timers. */
final class IwarpLoop implements EventLoop {
  private static final Logger LOG = LoggerFactory.getLogger(IwarpLoop.class);
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int TASKS_PER_TURN = 1024;

  /** How long connections that are saying good-bye may hold up the end of the device. */
  private static final long GRACE_NS = 250_000_000L;

  private final int index;
  private final boolean busySpin;
  private final Selector selector;
  private final Thread thread;
  private final MpscUnboundedAtomicArrayQueue<Runnable> tasks =
      new MpscUnboundedAtomicArrayQueue<>(1024);
  private final AtomicBoolean asleep = new AtomicBoolean();
  private final TimerHeap timers = new TimerHeap();
  private final CompletionBatch completions = new CompletionBatch();
  private final Set<LoopMember> members = new HashSet<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Consumer<SelectionKey> dispatch = this::dispatch;
  private ArrayDeque<IwarpQueuePair> dirty = new ArrayDeque<>();
  private ArrayDeque<IwarpQueuePair> nextDirty = new ArrayDeque<>();
  private final ArrayDeque<IwarpQueuePair> closing = new ArrayDeque<>();
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(64 * 1024);
  private boolean stopping;
  private long stopAtNs;
  private volatile boolean refusing;

  IwarpLoop(int index, boolean busySpin) throws IOException {
    this.index = index;
    this.busySpin = busySpin;
    this.selector = Selector.open();
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("maestro-iwarp-" + NUMBER.incrementAndGet())
            .unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** The number of this loop in its device. */
  int index() {
    return index;
  }

  CompletionBatch completions() {
    return completions;
  }

  /** For bytes that nobody wants. */
  ByteBuffer scratch() {
    return scratch;
  }

  TimerHeap timers() {
    return timers;
  }

  @Override
  public boolean inLoop() {
    return Thread.currentThread() == thread;
  }

  static boolean inAnyLoop() {
    return Thread.currentThread().getName().startsWith("maestro-iwarp-");
  }

  @Override
  public long nanoTime() {
    return SystemClock.INSTANCE.nanoTime();
  }

  @Override
  public void execute(Runnable task) {
    if (refusing) {
      throw new RejectedExecutionException("the event loop has ended: its device is closed");
    }
    tasks.offer(task);
    if (asleep.get() && asleep.compareAndSet(true, false)) {
      selector.wakeup();
    }
  }

  @Override
  public Timer schedule(long delayNs, Runnable task) {
    TimerHeap.Entry entry = new TimerHeap.Entry(this, nanoTime() + delayNs, task);
    if (inLoop()) {
      entry.run();
    } else {
      execute(entry);
    }
    return entry;
  }

  /** Registers a channel; on the loop. */
  SelectionKey register(SelectableChannel channel, int interest, ReadyHandler handler)
      throws IOException {
    return channel.register(selector, interest, handler);
  }

  void join(LoopMember member) {
    members.add(member);
    if (stopping) {
      member.shutDown();
    }
  }

  /** Whether the loop's grace is over. */
  boolean isEnding() {
    return refusing;
  }

  void leave(LoopMember member) {
    members.remove(member);
  }

  /** Lets a queue pair transmit at the end of this turn, or in the next if that has passed. */
  void transmitLater(IwarpQueuePair qp) {
    nextDirty.add(qp);
  }

  /** Lets a queue pair end at the end of this turn. */
  void endLater(IwarpQueuePair qp) {
    closing.add(qp);
  }

  /** Makes closed channels give back their port now; on the loop, not while it dispatches. */
  void releaseClosedChannels() throws IOException {
    selector.selectNow(dispatch);
  }

  /** Ends everything on this loop, then the loop; any thread. */
  void stop() {
    try {
      execute(this::beginToStop);
    } catch (RejectedExecutionException e) {
      LOG.trace("the loop has ended already", e);
    }
  }

  void awaitEnd() {
    boolean interrupted = false;
    while (ended.getCount() > 0) {
      try {
        ended.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void beginToStop() {
    if (stopping) {
      return;
    }
    stopping = true;
    stopAtNs = nanoTime() + GRACE_NS;
    schedule(GRACE_NS, () -> {});
    List.copyOf(members).forEach(LoopMember::shutDown);
  }

  private void run() {
    try {
      while (!hasStopped()) {
        poll();
        runTasks();
        runTimers();
        finishTurn();
      }
    } catch (IOException | RuntimeException | Error e) {
      LOG.error("{} ends unexpectedly", thread.getName(), e);
    } finally {
      end();
    }
  }

  private boolean hasStopped() {
    return stopping
        && closing.isEmpty()
        && tasks.isEmpty()
        && (members.isEmpty() || nanoTime() - stopAtNs >= 0);
  }

  private void end() {
    refusing = true;
    runTasks();
    List.copyOf(members).forEach(LoopMember::shutDown);
    finishTurn();
    try {
      selector.close();
    } catch (IOException e) {
      LOG.debug("closing the selector of {}", thread.getName(), e);
    }
    ended.countDown();
  }

  private void poll() throws IOException {
    if (busySpin || hasWork()) {
      selector.selectNow(dispatch);
      return;
    }
    asleep.set(true);
    if (tasks.isEmpty()) {
      selector.select(dispatch, timeoutMs());
    }
    asleep.set(false);
  }

  private boolean hasWork() {
    return !nextDirty.isEmpty() || !closing.isEmpty() || !tasks.isEmpty();
  }

  /** For {@link Selector#select(Consumer, long)}, to which 0 means for ever. */
  private long timeoutMs() {
    long delayNs = timers.delayNs(nanoTime());
    return delayNs == Long.MAX_VALUE ? 0 : delayNs / 1_000_000 + 1;
  }

  private void dispatch(SelectionKey key) {
    if (asleep.get()) {
      asleep.lazySet(false);
    }
    if (key.isValid() && key.attachment() instanceof ReadyHandler handler) {
      try {
        handler.onReady(key);
      } catch (RuntimeException | Error e) {
        failed("an event", e);
      }
    }
  }

  private void runTasks() {
    for (int i = 0; i < TASKS_PER_TURN; i++) {
      Runnable task = tasks.relaxedPoll();
      if (task == null) {
        return;
      }
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        failed("a task", e);
      }
    }
  }

  private void runTimers() {
    long nowNs = nanoTime();
    for (TimerHeap.@Nullable Entry due = timers.pollDue(nowNs);
        due != null;
        due = timers.pollDue(nowNs)) {
      try {
        due.fire();
      } catch (RuntimeException | Error e) {
        failed("a timer", e);
      }
    }
  }

  private void finishTurn() {
    ArrayDeque<IwarpQueuePair> now = nextDirty;
    nextDirty = dirty;
    dirty = now;
    for (IwarpQueuePair qp = now.poll(); qp != null; qp = now.poll()) {
      qp.transmit();
    }
    for (IwarpQueuePair qp = closing.poll(); qp != null; qp = closing.poll()) {
      qp.end();
    }
  }

  private void failed(String what, Throwable cause) {
    LOG.error("{} failed on {}", what, thread.getName(), cause);
  }
}
