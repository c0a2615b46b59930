package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegionPoolTest {
  private static final long LIMIT = 1 << 20;

  private final MemoryBudget budget = new MemoryBudget(LIMIT);
  private final RegionPool pool = new RegionPool(budget);

  @AfterEach
  void nothingIsLeft() {
    pool.close();
    assertThat(pool.leasedCount()).isZero();
    assertThat(budget.usedBytes()).isZero();
    assertThat(pool.idleBytes()).isZero();
  }

  private RegionPool.Lease lease(long bytes) {
    assertThat(budget.tryReserve(bytes)).isTrue();
    return pool.leaseReserved(bytes);
  }

  @Test
  void theBudgetCountsTheLeasedBytesAndRefusesMore() {
    RegionPool.Lease lease = lease(LIMIT - 10);
    assertThat(budget.usedBytes()).isEqualTo(LIMIT - 10);
    assertThat(budget.tryReserve(11)).isFalse();
    assertThat(budget.tryReserve(Long.MAX_VALUE)).isFalse();
    RegionPool.Lease small = pool.leaseAnyway(100);
    assertThat(budget.usedBytes()).isEqualTo(LIMIT + 90);
    assertThat(budget.tryReserve(1)).isFalse();
    assertThat(budget.tryReserve(0)).isTrue();
    lease.release();
    small.release();
  }

  @Test
  void aReleaseCallsThoseWhoWaitForRoomUntilTheyNoLongerWant() {
    AtomicInteger calls = new AtomicInteger();
    Runnable end = budget.onRoom(calls::incrementAndGet);
    lease(5).release();
    assertThat(calls).hasValue(1);
    end.run();
    lease(5).release();
    assertThat(calls).hasValue(1);
  }

  @Test
  void aSecondReleaseDoesNothing() {
    RegionPool.Lease first = lease(5000);
    first.release();
    RegionPool.Lease second = lease(5000);
    first.release();
    assertThat(pool.leasedCount()).isEqualTo(1);
    assertThat(budget.usedBytes()).isEqualTo(5000);
    second.release();
  }

  @Test
  void memoryIsPageAlignedAndOfTheLengthAskedFor() {
    for (long bytes : new long[] {0, 1, 4095, 4096, 4097, 100_000}) {
      RegionPool.Lease lease = lease(bytes);
      assertThat(lease.memory().byteSize()).isEqualTo(bytes);
      assertThat(lease.memory().address() % RegionPool.PAGE_BYTES).isZero();
      lease.release();
    }
  }

  @Test
  void theBlockReleasedLastIsLeasedFirst() {
    RegionPool.Lease cold = lease(40_000);
    RegionPool.Lease warm = lease(40_000);
    long address = warm.memory().address();
    cold.release();
    warm.release();
    RegionPool.Lease again = lease(39_000);
    assertThat(again.memory().address()).isEqualTo(address);
    again.release();
  }

  @Test
  void blocksWasteAtMostAQuarterFromFourPagesOn() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100_000; i++) {
      long bytes = random.nextLong(1L << random.nextInt(1, 62));
      long block = RegionPool.blockBytes(bytes);
      assertThat(block).isGreaterThanOrEqualTo(bytes);
      assertThat(block % RegionPool.PAGE_BYTES).isZero();
      long allowed = Math.max(RegionPool.PAGE_BYTES, bytes / 4);
      assertThat(block - bytes).as("%d bytes", bytes).isLessThanOrEqualTo(allowed);
      assertThat(RegionPool.blockBytes(block)).as("%d bytes", bytes).isEqualTo(block);
    }
  }

  @Test
  void atMostHalfOfTheBudgetIsKeptAndTheOldestIsFreedFirst() {
    List<RegionPool.Lease> leases = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      leases.add(lease(LIMIT / 16));
    }
    long newest = leases.getLast().memory().address();
    RegionPool.Lease oldest = leases.getFirst();
    leases.forEach(RegionPool.Lease::release);
    assertThat(pool.idleBytes()).isEqualTo(LIMIT / 2);
    assertThat(oldest.memory().scope().isAlive()).isFalse();
    RegionPool.Lease again = lease(LIMIT / 16);
    assertThat(again.memory().address()).isEqualTo(newest);
    again.release();
  }

  @Test
  void afterCloseLeasedMemoryLivesUntilItsRelease() {
    RegionPool.Lease lease = lease(10_000);
    pool.close();
    MemorySegment memory = lease.memory();
    memory.fill((byte) 1);
    lease.release();
    assertThat(memory.scope().isAlive()).isFalse();
  }

  @Test
  void aLeaseThatCannotBeAllocatedGivesItsReservationBack() {
    assertThatThrownBy(() -> pool.leaseAnyway(1L << 60)).isInstanceOf(OutOfMemoryError.class);
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void eightThreadsNeverShareMemoryAndGiveEverythingBack() throws Exception {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom seeds = new SplittableRandom(seed);
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<Integer>> runs = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        SplittableRandom random = seeds.split();
        Callable<Integer> run = () -> leaseAndRelease(random);
        runs.add(threads.submit(run));
      }
      for (Future<Integer> run : runs) {
        assertThat(run.get()).as("seed %d", seed).isPositive();
      }
    }
  }

  private int leaseAndRelease(SplittableRandom random) {
    List<RegionPool.Lease> held = new ArrayList<>();
    int leases = 0;
    for (int i = 0; i < 5_000; i++) {
      if (held.isEmpty() || random.nextBoolean()) {
        long bytes = random.nextLong(8, 8L << random.nextInt(1, 14));
        if (budget.tryReserve(bytes)) {
          held.add(pool.leaseReserved(bytes));
          held.getLast().memory().set(ValueLayout.JAVA_LONG, 0, held.getLast().hashCode());
          leases++;
        }
      } else {
        giveBack(held.remove(random.nextInt(held.size())));
      }
      assertThat(budget.usedBytes()).isLessThanOrEqualTo(LIMIT);
    }
    held.forEach(RegionPoolTest::giveBack);
    return leases;
  }

  private static void giveBack(RegionPool.Lease lease) {
    assertThat(lease.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(lease.hashCode());
    lease.release();
    lease.release();
  }
}
