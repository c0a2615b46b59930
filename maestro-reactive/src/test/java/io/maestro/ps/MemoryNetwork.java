package io.maestro.ps;

import io.maestro.api.Message;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Random delays in virtual time; counts the messages that nobody has closed. */
final class MemoryNetwork {

  private final VirtualTimeScheduler time;
  private final Random random;
  private final int maxDelayUs;
  private final AtomicInteger leased = new AtomicInteger();
  private final Queue<Runnable> actions = new ArrayDeque<>();
  private boolean running;

  MemoryNetwork(VirtualTimeScheduler time, long seed, int maxDelayUs) {
    this.time = time;
    this.random = new Random(seed);
    this.maxDelayUs = maxDelayUs;
  }

  /** Messages received and not closed. */
  int leased() {
    return leased.get();
  }

  /** One action after the other, never one within another. */
  void run(Runnable action) {
    actions.add(action);
    if (!running) {
      running = true;
      try {
        Runnable next;
        while ((next = actions.poll()) != null) {
          next.run();
        }
      } finally {
        running = false;
      }
    }
  }

  void later(Runnable action) {
    int delayUs = random.nextInt(maxDelayUs + 1);
    time.schedule(() -> run(action), delayUs, TimeUnit.MICROSECONDS);
  }

  @SuppressWarnings("MustBeClosedChecker") // closed with the message
  Message lease(long sequence, ByteBuffer header, MemorySegment bytes) {
    Arena arena = Arena.ofShared();
    MemorySegment copy = arena.allocate(bytes.byteSize(), 1).copyFrom(bytes);
    leased.incrementAndGet();
    return new Lease(sequence, header.duplicate(), copy, arena, new AtomicBoolean(), leased);
  }

  private record Lease(
      long sequence,
      ByteBuffer header,
      MemorySegment data,
      Arena arena,
      AtomicBoolean closed,
      AtomicInteger leased)
      implements Message {
    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        leased.decrementAndGet();
        arena.close();
      }
    }
  }
}
