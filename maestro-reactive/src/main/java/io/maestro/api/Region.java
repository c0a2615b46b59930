package io.maestro.api;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Native memory that messages are sent from and received into, from 0 bytes to many GiB.
 *
 * <p>A region is counted: it starts with one holder, each transfer retains it while it is under
 * way, and its memory is given back when the last holder has released it. Closing a region that is
 * being sent is therefore safe; changing its bytes before the send has completed is not.
 *
 * <p>All methods may be called from any thread and none blocks.
 */
public final class Region implements AutoCloseable {

  /** Never started: stands for any thread but the caller. */
  private static final Thread SOMEBODY = Thread.ofVirtual().unstarted(() -> {});

  private final MemorySegment segment;
  private final Runnable onFree;
  private final AtomicInteger holders = new AtomicInteger(1);

  private Region(MemorySegment segment, Runnable onFree) {
    this.segment = segment;
    this.onFree = onFree;
  }

  /** A zeroed region of its own memory, freed when the last holder releases it. */
  @SuppressWarnings("MustBeClosedChecker") // the region owns the arena
  public static Region allocate(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative, was " + bytes);
    }
    Arena arena = Arena.ofShared();
    return new Region(arena.allocate(bytes, 64), arena::close);
  }

  /**
   * A region over native memory that the caller owns and keeps alive until the region is released.
   *
   * @throws IllegalArgumentException when the memory is on the heap, read-only or confined to a
   *     thread
   */
  public static Region wrap(MemorySegment memory) {
    return wrap(memory, () -> {});
  }

  /**
   * A region over native memory with an action that gives the memory back.
   *
   * @param onFree run once, by the thread that releases the last hold
   * @throws IllegalArgumentException when the memory is on the heap, read-only or confined to a
   *     thread
   */
  public static Region wrap(MemorySegment memory, Runnable onFree) {
    if (!memory.isNative() || memory.isReadOnly()) {
      throw new IllegalArgumentException(
          "a region needs writable native memory; copy heap memory into Region.allocate(bytes)");
    }
    if (!memory.isAccessibleBy(SOMEBODY)) {
      throw new IllegalArgumentException(
          "the memory is confined to one thread; allocate it from a shared or automatic Arena");
    }
    return new Region(memory, onFree);
  }

  /**
   * A region over the bytes between position and limit: those of a direct buffer are used in place
   * and kept alive by the region; those of a heap buffer are copied.
   */
  public static Region wrap(ByteBuffer buffer) {
    if (buffer.isDirect() && !buffer.isReadOnly()) {
      return wrap(MemorySegment.ofBuffer(buffer));
    }
    Region region = allocate(buffer.remaining());
    region.segment.copyFrom(MemorySegment.ofBuffer(buffer));
    return region;
  }

  /** The memory, valid while somebody holds the region. */
  public MemorySegment segment() {
    return segment;
  }

  /** The size in bytes. */
  public long size() {
    return segment.byteSize();
  }

  /** Adds a holder. */
  public Region retain() {
    if (holders.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
      throw new IllegalStateException("the region has been released");
    }
    return this;
  }

  /**
   * Removes a holder; the last one gives the memory back.
   *
   * @throws IllegalStateException when there was no holder left
   */
  public void release() {
    int before = holders.getAndUpdate(n -> n == 0 ? 0 : n - 1);
    if (before == 0) {
      throw new IllegalStateException("the region has been released more often than retained");
    }
    if (before == 1) {
      onFree.run();
    }
  }

  /** The same as {@link #release()}. */
  @Override
  public void close() {
    release();
  }

  @Override
  public String toString() {
    return "Region[" + size() + " bytes, holders=" + holders.get() + "]";
  }
}
