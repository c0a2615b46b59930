package io.maestro.verbs.iwarp;

import io.maestro.verbs.Access;
import io.maestro.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory and the buffers through which the loops' sockets reach it.
 *
 * <p>A {@link ByteBuffer} spans less than 2 GiB: the region is covered by windows that begin at
 * every multiple of 1 GiB and overlap, so that any range of up to 1 GiB lies in one. The views of a
 * window are made once for each loop and slot, and used again for ever.
 */
final class IwarpRegion implements MemoryRegion {
  private static final int WINDOW_SHIFT = 30;

  /** The most that {@link MemorySegment#asByteBuffer} takes. */
  private static final int MAX_VIEW_BYTES = Integer.MAX_VALUE - 8;

  private final IwarpDomain domain;
  private final MemorySegment memory;
  private final int rkey;
  private final long remoteAddress;
  private final long byteSize;
  private final boolean remoteWrite;
  private final boolean remoteRead;
  private final Views[] views;
  private volatile boolean open = true;

  IwarpRegion(IwarpDomain domain, MemorySegment memory, Set<Access> access, int rkey) {
    this.domain = domain;
    this.memory = memory;
    this.rkey = rkey;
    this.remoteAddress = domain.device().stags().randomAddress();
    this.byteSize = memory.byteSize();
    this.remoteWrite = access.contains(Access.REMOTE_WRITE);
    this.remoteRead = access.contains(Access.REMOTE_READ);
    this.views = new Views[domain.device().loops().size()];
    for (int i = 0; i < views.length; i++) {
      views[i] = new Views(memory);
    }
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public int rkey() {
    return rkey;
  }

  @Override
  public long remoteAddress() {
    return remoteAddress;
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      domain.forget(this);
    }
  }

  boolean isOpen() {
    return open;
  }

  IwarpDomain domain() {
    return domain;
  }

  boolean allowsRemoteWrite() {
    return remoteWrite;
  }

  boolean allowsRemoteRead() {
    return remoteRead;
  }

  /** Whether the range is inside; safe for all values, as the size is never negative. */
  boolean contains(long offset, int length) {
    return offset >= 0 && length >= 0 && offset <= byteSize - length;
  }

  /**
   * A view of a range, valid until the same loop asks for the same slot again.
   *
   * @param slot small number: one for each view of this region that is in use at the same time
   */
  ByteBuffer view(int loop, int slot, long offset, int length) {
    return views[loop].of(slot, offset, length);
  }

  /** What one loop uses; touched by that loop only. */
  private static final class Views {
    private final MemorySegment memory;
    private @Nullable ByteBuffer[] @Nullable [] windows;

    Views(MemorySegment memory) {
      this.memory = memory;
      this.windows = new ByteBuffer[(int) ((memory.byteSize() - 1) >>> WINDOW_SHIFT) + 1][];
    }

    ByteBuffer of(int slot, long offset, int length) {
      int window = (int) (Math.min(offset, memory.byteSize() - 1) >>> WINDOW_SHIFT);
      int start = (int) (offset - ((long) window << WINDOW_SHIFT));
      ByteBuffer view = cached(window, slot);
      return view.limit(start + length).position(start);
    }

    private ByteBuffer cached(int window, int slot) {
      @Nullable ByteBuffer[] slots = windows[window];
      if (slots == null || slots.length <= slot) {
        slots = grown(slots, slot);
        windows[window] = slots;
      }
      ByteBuffer view = slots[slot];
      if (view == null) {
        long from = (long) window << WINDOW_SHIFT;
        long bytes = Math.min(memory.byteSize() - from, MAX_VIEW_BYTES);
        view = memory.asSlice(from, bytes).asByteBuffer();
        slots[slot] = view;
      }
      return view;
    }

    private static @Nullable ByteBuffer[] grown(@Nullable ByteBuffer @Nullable [] slots, int slot) {
      @Nullable ByteBuffer[] larger = new ByteBuffer[Integer.highestOneBit(slot + 4) * 2];
      if (slots != null) {
        System.arraycopy(slots, 0, larger, 0, slots.length);
      }
      return larger;
    }
  }
}
