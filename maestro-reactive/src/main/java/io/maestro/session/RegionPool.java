package io.maestro.session;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Native memory for received messages. Any thread; locks for each message, not for each chunk.
 *
 * <p>Released blocks are kept, up to half of the budget, and leased again before new ones are
 * allocated, because the first touch of fresh memory costs a page fault and a zeroed page. The
 * budget counts what is leased, in the bytes that were asked for.
 */
final class RegionPool implements AutoCloseable {
  static final long PAGE_BYTES = 4096;

  /** As much as is zeroed in well under a millisecond. */
  private static final long QUICK_BYTES = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(RegionPool.class);

  private final MemoryBudget budget;
  private final IdleBlocks idle = new IdleBlocks();
  private int leasedCount;
  private boolean closed;

  RegionPool(MemoryBudget budget) {
    this.budget = budget;
  }

  /** Memory of its own arena, of a length that {@link #blockBytes} gives. */
  record Block(Arena arena, MemorySegment memory) {
    void free() {
      arena.close();
    }
  }

  /** Memory for one message, owned by whoever has the lease. */
  final class Lease {
    private final Block block;
    private final MemorySegment memory;
    private final AtomicBoolean released = new AtomicBoolean();

    private Lease(Block block, long bytes) {
      this.block = block;
      this.memory = block.memory.asSlice(0, bytes);
    }

    /**
     * The leased bytes, at the start of a page. They may hold what an earlier message left there:
     * nobody sees a message before all of it has been overwritten.
     */
    MemorySegment memory() {
      return memory;
    }

    /** Gives the memory and its share of the budget back. Idempotent. */
    void release() {
      if (!released.getAndSet(true)) {
        takeBack(block);
        budget.release(memory.byteSize());
      }
    }
  }

  /**
   * Whether a lease of that many bytes is a matter of microseconds. Else memory must be allocated,
   * and the kernel zeroes it page by page: seconds for some GiB on a busy machine.
   */
  synchronized boolean isQuick(long bytes) {
    return bytes <= QUICK_BYTES || idle.has(blockBytes(bytes));
  }

  /** The same as {@link #leaseReserved}, but null when the process cannot get the memory. */
  @Nullable Lease tryLeaseReserved(long bytes) {
    try {
      return leaseReserved(bytes);
    } catch (OutOfMemoryError full) {
      LOG.warn("no memory for a message of {} bytes: {}", bytes, full.getMessage());
      return null;
    }
  }

  /** Leases bytes that the caller has reserved in the budget; their release frees them there. */
  Lease leaseReserved(long bytes) {
    try {
      Lease lease = new Lease(block(blockBytes(bytes)), bytes);
      synchronized (this) {
        leasedCount++;
      }
      return lease;
    } catch (RuntimeException | OutOfMemoryError failure) {
      budget.release(bytes);
      throw failure;
    }
  }

  /** Leases bytes beyond the budget if need be; for small messages, which credits bound. */
  Lease leaseAnyway(long bytes) {
    budget.reserveAnyway(bytes);
    return leaseReserved(bytes);
  }

  private Block block(long blockBytes) {
    Block kept;
    synchronized (this) {
      kept = idle.take(blockBytes);
    }
    if (kept != null) {
      return kept;
    }
    try {
      return allocate(blockBytes);
    } catch (OutOfMemoryError full) {
      // The JVM's limit on direct memory counts the idle blocks too.
      freeIdle(0);
      return allocate(blockBytes);
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // the block owns the arena
  private static Block allocate(long bytes) {
    Arena arena = Arena.ofShared();
    try {
      return new Block(arena, arena.allocate(bytes, PAGE_BYTES));
    } catch (OutOfMemoryError full) {
      arena.close();
      throw full;
    }
  }

  private void takeBack(Block block) {
    long keptBytes;
    synchronized (this) {
      leasedCount--;
      idle.put(block);
      keptBytes = closed ? 0 : budget.limitBytes() / 2;
    }
    freeIdle(keptBytes);
  }

  /** Frees outside of the lock, because closing a shared arena holds up all threads. */
  private void freeIdle(long keptBytes) {
    Block oldest;
    while ((oldest = oldestBeyond(keptBytes)) != null) {
      oldest.free();
    }
  }

  private synchronized @Nullable Block oldestBeyond(long keptBytes) {
    return idle.bytes() > keptBytes ? idle.takeOldest() : null;
  }

  /**
   * Length of the block for that many bytes: four sizes between a power of two and the next, in
   * whole pages, so that at most a quarter is wasted from four pages on.
   */
  static long blockBytes(long bytes) {
    long pages = Math.max(1, Math.ceilDiv(bytes, PAGE_BYTES));
    long step = Math.max(1, Long.highestOneBit(pages - 1) / 4);
    return Math.multiplyExact(Math.ceilDiv(pages, step) * step, PAGE_BYTES);
  }

  /** Leases that have not been released. */
  synchronized int leasedCount() {
    return leasedCount;
  }

  /** Bytes of the blocks that are kept. */
  synchronized long idleBytes() {
    return idle.bytes();
  }

  /** Frees idle memory at once and leased memory at its release. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    freeIdle(0);
  }
}
