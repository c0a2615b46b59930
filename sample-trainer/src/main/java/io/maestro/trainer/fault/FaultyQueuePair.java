package io.maestro.trainer.fault;

import io.maestro.verbs.EventLoop;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.Signals;
import io.maestro.verbs.WcOpcode;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A queue pair whose work waits while its link is slow or cut. On its loop. */
final class FaultyQueuePair implements QueuePair {

  /** A full queue: its next completion is not far away. */
  private static final long RETRY_NS = 1_000_000;

  private final QueuePair inner;
  private final FaultBoard.Link link;
  private final int sendDepth;
  private final Runnable onClose;
  private final Deque<Post> waiting = new ArrayDeque<>();
  private final TokenBucket bucket;
  private EventLoop.@Nullable Timer timer;
  private @Nullable Signals beforeCut;
  private long cutNs;
  private boolean open;

  /**
   * A queue pair in front of another.
   *
   * @param onClose called before this side closes it
   */
  FaultyQueuePair(QueuePair inner, FaultBoard.Link link, int sendDepth, Runnable onClose) {
    this.inner = inner;
    this.link = link;
    this.sendDepth = sendDepth;
    this.onClose = onClose;
    bucket = new TokenBucket(inner.loop().nanoTime());
  }

  void opened() {
    open = true;
  }

  /** Ends it: hands over the work that was never done. */
  Deque<Post> ended() {
    open = false;
    if (timer != null) {
      timer.cancel();
    }
    return waiting;
  }

  /** Starts what the link lets through now. */
  void pump() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    Fault fault = link.fault();
    noteCut(fault);
    if (!open || fault.cuts() || waiting.isEmpty()) {
      return;
    }
    long waitNs = 0;
    while (waitNs == 0 && !waiting.isEmpty()) {
      waitNs = start(waiting.element(), fault);
    }
    if (waitNs > 0) {
      timer = inner.loop().schedule(waitNs, this::pump);
    }
    inner.flush();
  }

  /** 0 when it was started, else after how many nanoseconds to try again. */
  private long start(Post post, Fault fault) {
    if (fault.kind() == Fault.Kind.SLOW) {
      long waitNs = bucket.take(post.length(), fault.bytesPerSecond(), inner.loop().nanoTime());
      if (waitNs > 0) {
        return waitNs;
      }
    }
    if (!post.to(inner)) {
      return RETRY_NS;
    }
    waiting.remove();
    return 0;
  }

  private void noteCut(Fault fault) {
    if (!fault.cuts()) {
      beforeCut = null;
    } else if (beforeCut == null && open) {
      beforeCut = inner.signals();
      cutNs = inner.loop().nanoTime();
    }
  }

  private boolean isFree() {
    return !open || (waiting.isEmpty() && link.fault().kind() == Fault.Kind.NONE);
  }

  private boolean hold(Post post) {
    if (waiting.size() >= sendDepth) {
      return false;
    }
    waiting.add(post);
    if (timer == null && waiting.size() == 1) {
      pump();
    }
    return true;
  }

  @Override
  public EventLoop loop() {
    return inner.loop();
  }

  @Override
  public InetSocketAddress local() {
    return inner.local();
  }

  @Override
  public InetSocketAddress remote() {
    return inner.remote();
  }

  @Override
  public boolean postWrite(
      long wrId, MemoryRegion region, long offset, int length, long remoteAddress, int rkey) {
    return isFree()
        ? inner.postWrite(wrId, region, offset, length, remoteAddress, rkey)
        : hold(new Post(WcOpcode.WRITE, wrId, region, offset, length, remoteAddress, rkey));
  }

  @Override
  public boolean postRead(
      long wrId, MemoryRegion region, long offset, int length, long remoteAddress, int rkey) {
    return isFree()
        ? inner.postRead(wrId, region, offset, length, remoteAddress, rkey)
        : hold(new Post(WcOpcode.READ, wrId, region, offset, length, remoteAddress, rkey));
  }

  @Override
  public boolean postSend(long wrId, MemoryRegion region, long offset, int length) {
    return isFree()
        ? inner.postSend(wrId, region, offset, length)
        : hold(new Post(WcOpcode.SEND, wrId, region, offset, length, 0, 0));
  }

  /** Takes no part in faults: a receive does not use the link. */
  @Override
  public boolean postRecv(long wrId, MemoryRegion region, long offset, int length) {
    return inner.postRecv(wrId, region, offset, length);
  }

  @Override
  public void flush() {
    inner.flush();
  }

  /** While the link is cut: nothing has been acknowledged since, and something is to be. */
  @Override
  public Signals signals() {
    Signals last = beforeCut;
    if (last == null || last.unackedPackets() == Signals.ABSENT) {
      return inner.signals();
    }
    return new Signals(
        last.deliveredPackets(),
        last.congestionMarks(),
        last.retransmits(),
        last.rttNs(),
        last.deliveryRate(),
        last.unackedPackets() + waiting.size() + 1,
        inner.loop().nanoTime() - cutNs);
  }

  @Override
  public void close() {
    onClose.run();
    inner.close();
  }

  @Override
  public void abort() {
    onClose.run();
    inner.abort();
  }
}
