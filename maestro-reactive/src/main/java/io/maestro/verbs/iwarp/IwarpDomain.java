package io.maestro.verbs.iwarp;

import io.maestro.verbs.Access;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A protection domain: compared by identity. */
final class IwarpDomain implements ProtectionDomain {
  private final IwarpDevice device;
  private final Set<IwarpRegion> regions = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  IwarpDomain(IwarpDevice device) {
    this.device = device;
  }

  IwarpDevice device() {
    return device;
  }

  @Override
  public MemoryRegion register(MemorySegment memory, Set<Access> access) {
    check(memory);
    Set<Access> rights = access.isEmpty() ? Set.of() : EnumSet.copyOf(access);
    IwarpRegion region = device.stags().add(stag -> new IwarpRegion(this, memory, rights, stag));
    regions.add(region);
    if (closed) {
      region.close();
      throw new IllegalStateException("the protection domain is closed");
    }
    return region;
  }

  private static void check(MemorySegment memory) {
    if (!memory.isNative()) {
      throw new IllegalArgumentException(
          "only native memory can be registered: allocate it in an Arena or map a file");
    }
    if (memory.byteSize() == 0) {
      throw new IllegalArgumentException("an empty segment cannot be registered");
    }
    if (memory.isReadOnly()) {
      throw new IllegalArgumentException("a read-only segment cannot be registered");
    }
    if (!memory.isAccessibleBy(Thread.ofPlatform().unstarted(() -> {}))) {
      throw new IllegalArgumentException(
          "the segment is confined to one thread: use Arena.ofShared or Arena.ofAuto");
    }
  }

  void forget(IwarpRegion region) {
    regions.remove(region);
    device.stags().remove(region);
  }

  @Override
  public void close() {
    closed = true;
    regions.forEach(IwarpRegion::close);
  }

  /** The region, when it is of this domain, open, and has the range. */
  IwarpRegion own(MemoryRegion region, long offset, int length) {
    if (!(region instanceof IwarpRegion mine) || mine.domain() != this) {
      throw new IllegalArgumentException("the region belongs to another protection domain");
    }
    if (!mine.isOpen()) {
      throw new IllegalArgumentException("the region is closed");
    }
    if (!mine.contains(offset, length)) {
      throw new IndexOutOfBoundsException(
          "%d bytes at %d are outside the region of %d bytes"
              .formatted(length, offset, mine.memory().byteSize()));
    }
    if (length > IwarpDevice.LIMITS.maxMessageBytes()) {
      throw new IllegalArgumentException(
          "%d bytes are more than the longest message, %d"
              .formatted(length, IwarpDevice.LIMITS.maxMessageBytes()));
    }
    return mine;
  }
}
