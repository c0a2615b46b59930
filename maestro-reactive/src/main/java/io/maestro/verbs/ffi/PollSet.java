package io.maestro.verbs.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** {@code poll(2)} over an array of {@code struct pollfd}. */
final class PollSet {
  private static final int ENTRY_BYTES = 8;
  private static final int EVENTS = 4;
  private static final int RETURNED = 6;
  private static final short POLLOUT = 4;

  /**
   * @param writable whether being writable counts too; errors always do
   */
  record Entry(int descriptor, boolean writable) {}

  private PollSet() {}

  static boolean[] poll(Libc libc, Entry[] entries, int timeoutMs) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment set = arena.allocate(Math.max(1, entries.length) * (long) ENTRY_BYTES, 8);
      for (int i = 0; i < entries.length; i++) {
        set.set(ValueLayout.JAVA_INT, (long) i * ENTRY_BYTES, entries[i].descriptor);
        set.set(
            ValueLayout.JAVA_SHORT,
            (long) i * ENTRY_BYTES + EVENTS,
            entries[i].writable ? POLLOUT : (short) 0);
      }
      MemorySegment errno = Libc.allocateErrno(arena);
      int ready = (int) libc.poll.invokeExact(errno, set, (long) entries.length, timeoutMs);
      boolean[] has = new boolean[entries.length];
      for (int i = 0; i < entries.length && ready > 0; i++) {
        has[i] = set.get(ValueLayout.JAVA_SHORT, (long) i * ENTRY_BYTES + RETURNED) != 0;
      }
      return has;
    } catch (Throwable e) {
      throw new IllegalStateException("a native call cannot throw", e);
    }
  }
}
