package io.maestro.verbs;

import java.net.InetSocketAddress;

/**
 * A reliable, ordered connection that carries WRITE, READ and SEND.
 *
 * <p>Thread rule: every method but {@link #loop()}, {@link #local()} and {@link #remote()} is
 * called on the queue pair's loop; others throw {@link IllegalStateException}. None blocks, and
 * posting allocates nothing in steady state.
 *
 * <p>Work starts in the order it was posted. The peer sees the bytes of a WRITE before a SEND that
 * was posted after it completes a receive there. Posted work is completed exactly once, with
 * success, an error or {@link WcStatus#FLUSHED}; sends, writes and reads complete in the order they
 * were posted, and so do receives. The memory of posted work belongs to the provider until that
 * completion. A SEND that is longer than the peer's receive, or that meets none, ends the queue
 * pair on both sides.
 *
 * <p>Every {@code post…} returns false, and takes nothing, when the queue is full or the queue pair
 * is not established or has ended; it throws {@link IndexOutOfBoundsException} when the range is
 * outside the region and {@link IllegalArgumentException} when the region belongs to another domain
 * or is closed or the length exceeds {@link DeviceLimits#maxMessageBytes()}. Lengths may be 0.
 * Receives may be posted from {@link QueuePairHandler#onCreated} on.
 */
public interface QueuePair {

  /** The loop that this queue pair lives on; any thread. */
  EventLoop loop();

  /** The local address and port; any thread. */
  InetSocketAddress local();

  /** The peer's address and port; any thread. */
  InetSocketAddress remote();

  /** Posts an RDMA WRITE of {@code length} bytes at {@code offset} of {@code region}. */
  boolean postWrite(
      long wrId, MemoryRegion region, long offset, int length, long remoteAddress, int rkey);

  /**
   * Posts an RDMA READ into {@code length} bytes at {@code offset} of {@code region}. Also false
   * when {@link QpOptions#readDepth()} reads are outstanding.
   */
  boolean postRead(
      long wrId, MemoryRegion region, long offset, int length, long remoteAddress, int rkey);

  /** Posts a SEND, which consumes one of the peer's receives. */
  boolean postSend(long wrId, MemoryRegion region, long offset, int length);

  /** Posts a receive buffer for one SEND of the peer of at most {@code length} bytes. */
  boolean postRecv(long wrId, MemoryRegion region, long offset, int length);

  /**
   * Rings the doorbell: what was posted since the last call is started. Work that is posted while a
   * handler of this queue pair runs is started when the handler returns.
   */
  void flush();

  /** What the network said about this path so far; see {@link Signals} for absent values. */
  Signals signals();

  /**
   * Closes at once: everything posted completes as {@link WcStatus#FLUSHED}, then {@link
   * QueuePairHandler#onClosed} is called, in this or the next turn. When {@code onClosed} is
   * called, no operation of the peer can touch local memory through this queue pair any more.
   * Idempotent.
   */
  void close();

  /**
   * As {@link #close()}, for a peer that does not answer: nothing more is sent to it but, at most,
   * that the connection is reset, and the local address is free at once.
   */
  default void abort() {
    close();
  }
}
