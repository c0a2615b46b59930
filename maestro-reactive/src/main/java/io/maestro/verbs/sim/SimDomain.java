package io.maestro.verbs.sim;

import io.maestro.verbs.Access;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A protection domain and its regions. */
final class SimDomain implements ProtectionDomain {
  private final SimDevice device;
  private final KeySpace keys;
  private final Map<Integer, SimRegion> regions = new ConcurrentHashMap<>();
  private volatile boolean closed;

  SimDomain(SimDevice device, KeySpace keys) {
    this.device = device;
    this.keys = keys;
  }

  SimDevice device() {
    return device;
  }

  @Nullable SimRegion region(int rkey) {
    return regions.get(rkey);
  }

  @Override
  public MemoryRegion register(MemorySegment memory, Set<Access> access) {
    if (closed) {
      throw new IllegalStateException("the protection domain is closed");
    }
    check(memory);
    SimRegion region =
        new SimRegion(this, memory, access, keys.nextKey(), keys.nextAddress(memory.byteSize()));
    regions.put(region.rkey(), region);
    return region;
  }

  private static void check(MemorySegment memory) {
    String fault =
        !memory.isNative()
            ? "on the heap: allocate it from an Arena"
            : memory.byteSize() == 0
                ? "empty"
                : memory.isReadOnly() ? "read-only" : isConfined(memory) ? "confined" : "";
    if (!fault.isEmpty()) {
      throw new IllegalArgumentException(
          "the memory is " + fault + " and cannot be registered: " + memory);
    }
  }

  private static boolean isConfined(MemorySegment memory) {
    return !memory.isAccessibleBy(NOBODY);
  }

  void forget(SimRegion region) {
    regions.remove(region.rkey());
  }

  @Override
  public void close() {
    closed = true;
    List.copyOf(regions.values()).forEach(SimRegion::close);
  }

  /** A thread that owns no memory: what it may access, every thread may. */
  private static final Thread NOBODY = Thread.ofPlatform().unstarted(() -> {});
}
