package io.maestro.session;

import io.maestro.api.Connection;
import io.maestro.api.Connection.RemoteAccess;
import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import io.maestro.api.RemoteRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;

/** Memory that one side of a simulated run exports, and the other's accesses to it. */
final class SharedMemory {
  static final int PARTS = 16;
  static final int PART_BYTES = 32 << 10;
  private static final long FIRST_WRITE = 1000;

  private final Side owner;
  private final Ledger ledger;
  private final Arena arena;
  private final MemorySegment memory;
  private final BitSet touched = new BitSet();
  private final List<MemorySegment> used = new ArrayList<>();
  private final List<Failed> failed = new ArrayList<>();
  private final Connection exporter;
  private final RemoteRegion handle;
  private boolean revoked;
  private int open;
  private int frees;

  private record Failed(Deed.Access access, Throwable why) {}

  SharedMemory(Side owner, Connection exporter, Ledger ledger, Arena arena) {
    this.owner = owner;
    this.exporter = exporter;
    this.ledger = ledger;
    this.arena = arena;
    memory = arena.allocate((long) PARTS * PART_BYTES);
    memory.copyFrom(Bytes.of(pattern(), memory.byteSize()));
    Region region = Region.wrap(memory, () -> frees++);
    handle = exporter.export(region, EnumSet.allOf(RemoteAccess.class));
    region.release();
  }

  private long pattern() {
    return -1L - owner.number();
  }

  /** Accesses that have not ended. */
  int open() {
    return open;
  }

  void revoke() {
    if (!revoked) {
      revoked = true;
      ledger.revoked();
      exporter.revoke(handle);
      Bytes.scribble(memory);
    }
  }

  /** The other side's access. */
  void access(Connection from, Deed.Access access) {
    long offset = (long) access.part() * PART_BYTES;
    MemorySegment local = arena.allocate(access.bytes());
    if (access.write()) {
      touched.set(access.part());
      local.copyFrom(Bytes.of(FIRST_WRITE + access.part(), access.bytes()));
    }
    Region region = Region.wrap(local);
    open++;
    (access.write() ? from.write(region, handle, offset) : from.read(handle, offset, region))
        .doFinally(signal -> region.release())
        .subscribe(
            null,
            failure -> {
              open--;
              failed.add(new Failed(access, failure));
            },
            () -> {
              open--;
              done(access, local, memory.asSlice(offset, access.bytes()));
            });
  }

  /** From now on the bytes are the user's, who changes them. */
  private void done(Deed.Access access, MemorySegment local, MemorySegment there) {
    if (!revoked) {
      ledger.require(local.mismatch(there) < 0, access + " is done, and the bytes differ");
    }
    MemorySegment target = access.write() ? there : local;
    Bytes.scribble(target);
    used.add(target);
  }

  /**
   * Judges the memory once everything has ended.
   *
   * @param lost whether the connection has ended while it was used
   */
  void judge(boolean lost) {
    for (Failed one : failed) {
      ledger.require(isFair(one.why, lost), one.access + " failed without a reason: " + one.why);
    }
    ledger.require(open == 0, open + " accesses to the memory of the " + owner + " never ended");
    ledger.require(
        used.stream().allMatch(Bytes::isScribbled),
        "a one-sided access has changed bytes after it was done");
    ledger.require(frees == 1, "exported memory was given back " + frees + " times");
    if (revoked) {
      ledger.require(
          Bytes.isScribbled(memory), "memory was written to after its export had been revoked");
      return;
    }
    MemorySegment before = Bytes.of(pattern(), memory.byteSize());
    for (int part = 0; part < PARTS; part++) {
      long offset = (long) part * PART_BYTES;
      boolean same =
          memory.asSlice(offset, PART_BYTES).mismatch(before.asSlice(offset, PART_BYTES)) < 0;
      ledger.require(same || touched.get(part), "part " + part + " was written by nobody");
    }
  }

  private boolean isFair(Throwable failure, boolean lost) {
    return switch (failure) {
      case MaestroException.AccessDenied e -> ledger.anyRevoked();
      case MaestroException.ConnectionLost e -> lost;
      case MaestroException.Closed e -> lost;
      default -> false;
    };
  }
}
