package io.maestro.session;

import io.maestro.verbs.MemoryRegion;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are moved between a local region and a remote one in chunks, over all paths: a large
 * message, or a one-sided write or read. Lives on the session's loop, but for its final fields.
 */
final class Transfer {

  /** Which way the bytes go. */
  enum Kind {
    WRITE,
    READ
  }

  /** The slot of a one-sided transfer: there is no message to reassemble at the peer. */
  static final int NO_SLOT = 0;

  private final Kind kind;
  private final Chunking chunking;
  private final int priority;
  private final MemoryRegion local;
  private final Target target;
  private final Consumer<@Nullable Throwable> onEnd;
  private int issued;
  private int done;
  private int inFlight;
  private boolean stopped;
  private @Nullable Throwable failure;
  private boolean ended;

  /** Which way, in what pieces, and how urgent. */
  record Plan(Kind kind, Chunking chunking, int priority) {}

  /** The peer's end of a transfer. */
  record Target(int slot, long address, int rkey) {}

  /**
   * A transfer of the whole local region.
   *
   * @param onEnd called once on the session's loop when no chunk is in flight any more, with null
   *     when all bytes are there, else with the reason
   */
  Transfer(Plan plan, MemoryRegion local, Target target, Consumer<@Nullable Throwable> onEnd) {
    this.kind = plan.kind();
    this.chunking = plan.chunking();
    this.priority = plan.priority();
    this.local = local;
    this.target = target;
    this.onEnd = onEnd;
  }

  Kind kind() {
    return kind;
  }

  Chunking chunking() {
    return chunking;
  }

  int priority() {
    return priority;
  }

  MemoryRegion local() {
    return local;
  }

  Target target() {
    return target;
  }

  boolean oneSided() {
    return target.slot() == NO_SLOT;
  }

  /** Whether there are chunks that have not been issued and may be. */
  boolean hasMore() {
    return !stopped && issued < chunking.count();
  }

  /** Bytes that have not been issued. */
  long remainingBytes() {
    return chunking.sizeBytes() - chunking.offset(issued);
  }

  int nextLength() {
    return chunking.length(issued);
  }

  Chunk issue(Chunk descriptor) {
    inFlight++;
    return descriptor.of(this, issued++);
  }

  /** A chunk is in place at the other end. */
  void chunkDone() {
    done++;
    inFlight--;
    endIfIdle();
  }

  /** A chunk will not be sent again because the transfer has been stopped. */
  void chunkDropped() {
    inFlight--;
    endIfIdle();
  }

  /** Issues no more chunks; ends when those in flight are back. The first reason counts. */
  void stop(Throwable reason) {
    if (!stopped) {
      stopped = true;
      failure = reason;
    }
    endIfIdle();
  }

  boolean stopped() {
    return stopped;
  }

  private void endIfIdle() {
    boolean complete = done == chunking.count();
    if (!ended && inFlight == 0 && (stopped || complete)) {
      ended = true;
      onEnd.accept(complete ? null : failure);
    }
  }
}
