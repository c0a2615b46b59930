package io.maestro.verbs;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Wakes the test thread whenever a handler or a task of the kit has run. */
final class Pulse {
  private static final Semaphore BEATS = new Semaphore(0);
  private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(5);

  private Pulse() {}

  static void beat() {
    BEATS.release();
  }

  static void awaitRealTime(BooleanSupplier condition, Duration deadline) {
    long startNs = SystemClock.INSTANCE.nanoTime();
    while (!condition.getAsBoolean()) {
      if (SystemClock.INSTANCE.nanoTime() - startNs > deadline.toNanos()) {
        return;
      }
      waitForBeat();
    }
  }

  private static void waitForBeat() {
    try {
      if (BEATS.tryAcquire(LONGEST_WAIT_NS, TimeUnit.NANOSECONDS)) {
        BEATS.drainPermits();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting", e);
    }
  }
}
