package io.maestro.session;

import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QueuePair;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** The slots that a path sends control messages from and receives them into. Path's loop only. */
final class PathMemory implements AutoCloseable {
  private final Arena arena;
  private final MemoryRegion receives;
  private final MemoryRegion sending;
  private final SendQueue sends;
  private final int slotBytes;

  @SuppressWarnings("MustBeClosedChecker") // closed by close()
  PathMemory(ProtectionDomain domain, int slotBytes) {
    this.slotBytes = slotBytes;
    arena = Arena.ofShared();
    long bytes = (long) slotBytes * SendQueue.DEPTH;
    receives = domain.register(arena.allocate(bytes, 64), Set.of());
    sending = domain.register(arena.allocate(bytes, 64), Set.of());
    sends = new SendQueue(sending, slotBytes);
  }

  SendQueue sends() {
    return sends;
  }

  void postReceives(QueuePair qp) {
    for (int slot = 0; slot < SendQueue.DEPTH; slot++) {
      postReceive(qp, slot);
    }
  }

  /** Makes room for one more message; a queue pair that has ended meanwhile takes none. */
  void postReceive(QueuePair qp, int slot) {
    qp.postRecv(WorkIds.recv(slot), receives, receiveOffset(slot), slotBytes);
  }

  MemorySegment received() {
    return receives.memory();
  }

  long receiveOffset(int slot) {
    return (long) slot * slotBytes;
  }

  @Override
  public void close() {
    receives.close();
    sending.close();
    arena.close();
  }
}
