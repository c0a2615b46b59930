package io.maestro.verbs.sim;

import io.maestro.verbs.EventLoop;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.Signals;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import io.maestro.verbs.WcOpcode;
import io.maestro.verbs.WcStatus;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A simulated queue pair: posts work to its transport and reports to its handler. */
final class SimQueuePair implements QueuePair, SimLoop.News {
  private static final Logger LOG = LoggerFactory.getLogger(SimQueuePair.class);

  private final QpOptions options;
  private final SimLoop loop;
  private final SimDomain domain;
  private final QueuePairHandler handler;
  private final Transport transport;
  private final CompletionQueue waiting = new CompletionQueue();
  private final CompletionQueue batch = new CompletionQueue();
  private final WorkQueue sends;
  private final WorkQueue receives;
  private int heldReads;
  private long starting;
  private long rung;
  private @Nullable ByteBuffer greeting;
  private boolean established;
  private boolean newsPosted;
  private @Nullable WorkRequest failed;
  private @Nullable VerbsException cause;
  private boolean over;

  SimQueuePair(QpOptions options, SimLoop loop, QueuePairHandler handler, Transport transport) {
    if (!(options.domain() instanceof SimDomain simDomain)) {
      throw new IllegalArgumentException("the protection domain is of another provider");
    }
    this.options = options;
    this.loop = loop;
    this.handler = handler;
    this.transport = transport;
    domain = simDomain;
    sends = new WorkQueue(options.sendDepth(), waiting);
    receives = new WorkQueue(options.recvDepth(), waiting);
  }

  SimDomain domain() {
    return domain;
  }

  WorkQueue sends() {
    return sends;
  }

  WorkQueue receives() {
    return receives;
  }

  int readDepth() {
    return options.readDepth();
  }

  /** Whether the peer's answer is here, whatever the handler knows yet. */
  boolean isEstablished() {
    return established || greeting != null;
  }

  boolean isOver() {
    return over;
  }

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public InetSocketAddress local() {
    return transport.local();
  }

  @Override
  public InetSocketAddress remote() {
    return transport.remote();
  }

  @Override
  public boolean postWrite(
      long wrId, MemoryRegion region, long offset, int length, long remoteAddress, int rkey) {
    check(region, offset, length);
    return canSend()
        && postRemote(WcOpcode.WRITE, wrId, region, offset, length).to(remoteAddress, rkey);
  }

  @Override
  public boolean postRead(
      long wrId, MemoryRegion region, long offset, int length, long remoteAddress, int rkey) {
    check(region, offset, length);
    if (!canSend() || heldReads >= Math.min(options.readDepth(), transport.peerReadDepth())) {
      return false;
    }
    heldReads++;
    return postRemote(WcOpcode.READ, wrId, region, offset, length).to(remoteAddress, rkey);
  }

  private WorkRequest postRemote(
      WcOpcode opcode, long wrId, MemoryRegion region, long offset, int length) {
    return sends.post(opcode, wrId, region.memory(), offset, length);
  }

  @Override
  public boolean postSend(long wrId, MemoryRegion region, long offset, int length) {
    check(region, offset, length);
    if (!canSend()) {
      return false;
    }
    sends.post(WcOpcode.SEND, wrId, region.memory(), offset, length);
    return true;
  }

  @Override
  public boolean postRecv(long wrId, MemoryRegion region, long offset, int length) {
    check(region, offset, length);
    if (cause != null || receives.isFull()) {
      return false;
    }
    receives.post(WcOpcode.RECV, wrId, region.memory(), offset, length);
    return true;
  }

  private boolean canSend() {
    return established && cause == null && !sends.isFull();
  }

  private void check(MemoryRegion region, long offset, int length) {
    requireLoop();
    if (!(region instanceof SimRegion mine) || !mine.domain().equals(domain) || mine.isClosed()) {
      throw new IllegalArgumentException(
          "the region is closed, or not of the queue pair's protection domain");
    }
    long size = region.memory().byteSize();
    if (offset < 0 || length < 0 || offset > size - length) {
      throw new IndexOutOfBoundsException(
          "%d bytes at %d of a region of %d".formatted(length, offset, size));
    }
    if (length > SimDevice.LIMITS.maxMessageBytes()) {
      throw new IllegalArgumentException(
          "%d bytes; a message has at most %d"
              .formatted(length, SimDevice.LIMITS.maxMessageBytes()));
    }
  }

  private void requireLoop() {
    if (!loop.inLoop()) {
      throw new IllegalStateException(this + " is used outside its loop");
    }
  }

  @Override
  public void flush() {
    requireLoop();
    ring();
  }

  private void ring() {
    if (rung != sends.tail()) {
      rung = sends.tail();
      transport.sender().transmit();
    }
  }

  @Override
  public Signals signals() {
    requireLoop();
    return transport.sender().signals();
  }

  @Override
  public void close() {
    requireLoop();
    endWith(new VerbsException(Kind.CLOSED, this + " was closed by this side"));
  }

  /** Ends it for a reason of this side; the peer sees an orderly close. */
  void endWith(VerbsException reason) {
    transport.end(reason, Farewell.closed());
  }

  // What the transport asks and tells.

  /** Makes the unit the next piece of what was posted; false when all is started. */
  boolean fillNext(Unit unit, int unitBytes) {
    if (starting == rung) {
      return false;
    }
    WorkRequest wr = sends.get(starting);
    if (wr.opcode == WcOpcode.READ) {
      unit.takeFrom(wr, Unit.Kind.READ_REQUEST, 0, 0);
      starting++;
      return true;
    }
    Unit.Kind kind = wr.opcode == WcOpcode.WRITE ? Unit.Kind.WRITE : Unit.Kind.SEND;
    unit.takeFrom(wr, kind, wr.startedBytes, Math.min(unitBytes, wr.length - wr.startedBytes));
    wr.startedBytes += unit.length;
    if (wr.startedBytes == wr.length) {
      starting++;
    }
    return true;
  }

  /** The peer has this unit. */
  void delivered(Unit unit) {
    boolean ends = unit.kind == Unit.Kind.WRITE || unit.kind == Unit.Kind.SEND;
    if (ends && unit.isLast()) {
      sends.done(sends.get(unit.wrSeq), unit.messageLength);
      hasNews();
    }
  }

  void established(ByteBuffer privateData) {
    greeting = privateData;
    hasNews();
  }

  /** The peer refused this work. */
  void refused(long wrSeq) {
    if (sends.holds(wrSeq)) {
      failed = sends.get(wrSeq);
    }
  }

  void failReceive(WorkRequest receive) {
    failed = receive;
  }

  void ended(VerbsException why) {
    cause = why;
    sends.flush(failed, WcStatus.REMOTE_ACCESS_ERROR);
    receives.flush(failed, WcStatus.LENGTH_ERROR);
    hasNews();
  }

  void hasNews() {
    if (!newsPosted) {
      newsPosted = true;
      loop.post(this);
    }
  }

  // What the handler is told, on the loop.

  /** Shows itself to the handler; false when that or the transport has ended it. */
  boolean create() {
    VerbsException already = transport.ended();
    if (already != null) {
      ended(already);
      return false;
    }
    guarded(() -> handler.onCreated(this));
    return cause == null;
  }

  @Override
  public void handle() {
    newsPosted = false;
    ByteBuffer privateData = greeting;
    if (privateData != null) {
      greeting = null;
      established = true;
      guarded(() -> handler.onEstablished(this, privateData));
    }
    while (waiting.size() > 0) {
      deliverBatch();
    }
    if (cause != null && !over) {
      over = true;
      finish(cause);
    }
  }

  private void deliverBatch() {
    waiting.moveTo(batch);
    receives.release(batch.receives());
    sends.release(batch.size() - batch.receives());
    heldReads -= batch.reads();
    guarded(() -> handler.onCompletions(this, batch));
    batch.clear();
  }

  private void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      loop.threw(e);
      endWith(new VerbsException(Kind.LOCAL, this + ": its handler failed", e));
    }
    ring();
  }

  private void finish(VerbsException why) {
    try {
      handler.onClosed(why);
    } catch (RuntimeException | Error e) {
      loop.threw(e);
      LOG.error("The handler of {} failed in onClosed", this, e);
    }
  }

  @Override
  public String toString() {
    return transport.toString();
  }
}
