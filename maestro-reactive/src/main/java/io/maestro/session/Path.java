package io.maestro.session;

import io.maestro.verbs.Completions;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.WcOpcode;
import io.maestro.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jctools.queues.atomic.SpscAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * One queue pair of a session: the sink that chunks are pushed onto. The session's loop hands it
 * chunk descriptors and control messages through single-producer rings and gets them back through
 * another when the peer has acknowledged them; all else happens on the path's loop.
 */
final class Path implements QueuePairHandler {
  /** How often the provider's signals are read: a system call each time. */
  private static final long SIGNALS_NS = 2_000_000;

  private final PathOptions options;
  private final PathOwner owner;
  private final EventLoop loop;
  private final SpscAtomicArrayQueue<Chunk> chunks;
  private final SpscAtomicArrayQueue<Envelope> controls =
      new SpscAtomicArrayQueue<>(4 * SendQueue.DEPTH);
  private final SpscAtomicArrayQueue<Object> returns;
  private final AtomicBoolean drainScheduled = new AtomicBoolean();
  private final AtomicBoolean returnsScheduled = new AtomicBoolean();
  private final Runnable drain = this::drain;
  private final Runnable deliverReturns = this::deliverReturns;
  private final Consumer<Envelope> giveBack = this::giveBack;
  private final Consumer<Chunk> settle = this::settle;
  private final ChunkFlow flow = new ChunkFlow();
  private final PathMemory memory;
  private final PathReceiver receiver;
  private final KeepAlive keepAlive;
  private final PathProgress progress = new PathProgress();
  private final PathWatch watch;
  private final AtomicBoolean lookScheduled = new AtomicBoolean();
  private final Runnable look = this::lookNow;
  private final Runnable tellSilent;
  private @Nullable QueuePair qp;
  private @Nullable Throwable failure;
  private boolean established;
  private boolean closed;
  private long nowNs;
  private long signalsAtNs;
  private long flushed;

  Path(PathOptions options, PathOwner owner, EventLoop loop) {
    this.options = options;
    this.owner = owner;
    this.loop = loop;
    this.chunks = new SpscAtomicArrayQueue<>(options.maxChunks());
    this.returns = new SpscAtomicArrayQueue<>(options.maxChunks() + 8 * SendQueue.DEPTH);
    this.memory = new PathMemory(options.domain(), options.slotBytes());
    this.receiver = new PathReceiver(this, owner, memory);
    this.keepAlive = new KeepAlive(this, loop, options.keepAliveNs());
    this.watch = new PathWatch(progress, options.stallNs());
    this.tellSilent = () -> owner.onSilent(this);
  }

  int id() {
    return options.id();
  }

  int generation() {
    return options.generation();
  }

  PathKey key() {
    return options.key();
  }

  EventLoop loop() {
    return loop;
  }

  PathProgress progress() {
    return progress;
  }

  /** Chunks that wait for the path's loop. Any thread. */
  int queued() {
    return chunks.size();
  }

  // ---- the session's loop

  /** Hands over a chunk; {@link #wake} follows. The caller keeps within {@code maxChunks}. */
  void offer(Chunk chunk) {
    if (!chunks.offer(chunk)) {
      throw new IllegalStateException("the ring of path " + id() + " is full");
    }
  }

  /** Hands over a control message; {@link #wake} follows. */
  void offer(Envelope envelope) {
    if (!controls.offer(envelope)) {
      throw new IllegalStateException("the control ring of path " + id() + " is full");
    }
  }

  /** Makes the path look at its rings. Any thread. */
  void wake() {
    if (!drainScheduled.getAndSet(true)) {
      loop.execute(drain);
    }
  }

  /** What has come back: a {@link Chunk} or an {@link Envelope}; null for nothing more. */
  @Nullable Object pollReturned() {
    return returns.poll();
  }

  /** Closes the queue pair. Any thread. */
  void close() {
    lose(new VerbsException(VerbsException.Kind.CLOSED, "closed here"));
  }

  /** Gives the path up for a reason of this side. Any thread. */
  void lose(Throwable reason) {
    loop.execute(() -> fail(reason));
  }

  /** Makes the path look whether it makes progress; see {@link PathProgress#look}. Any thread. */
  void look() {
    if (!lookScheduled.getAndSet(true)) {
      loop.execute(look);
    }
  }

  /** Asks the peer for a sign of life. Any thread. */
  void ask() {
    loop.execute(keepAlive::ask);
  }

  // ---- the path's loop

  @Override
  public void onCreated(QueuePair newQp) {
    qp = newQp;
    memory.postReceives(newQp);
    if (failure != null) {
      newQp.close(); // given up before it existed
    }
  }

  @Override
  public void onEstablished(QueuePair newQp, ByteBuffer privateData) {
    established = true;
    progress.established(newQp.local(), newQp.remote());
    progress.heard(loop.nanoTime());
    keepAlive.start();
    ByteBuffer copy = ByteBuffer.allocate(privateData.remaining()).put(privateData).flip();
    owner.loop().execute(() -> owner.onPathUp(this, copy));
    wake();
  }

  @Override
  public void onCompletions(QueuePair pair, Completions completions) {
    nowNs = loop.nanoTime();
    try {
      for (int i = 0; i < completions.size(); i++) {
        onCompletion(pair, completions, i);
      }
    } catch (ProtocolViolation violation) {
      fail(violation);
      return;
    }
    publish();
    wake();
  }

  private void onCompletion(QueuePair pair, Completions completions, int i) {
    if (completions.status(i) != WcStatus.SUCCESS) {
      flushed++; // the queue pair is ending: onClosed tells why, and sorts out what was posted
      return;
    }
    WcOpcode opcode = completions.opcode(i);
    if (opcode == WcOpcode.RECV) {
      heard();
      receiver.onReceive(pair, WorkIds.slot(completions.wrId(i)), completions.byteLength(i));
    } else if (opcode == WcOpcode.READ) {
      heard();
      settle(flow.readDone());
    }
  }

  private void heard() {
    keepAlive.heard();
    progress.heard(nowNs);
    watch.heard(nowNs);
  }

  /** The peer has announced chunks. */
  void onInbound() {
    watch.inbound(nowNs);
  }

  /** The peer has consumed SENDs and chunks up to these cumulative numbers. */
  void onProgress(int recvCredit, long ackSeq) {
    memory.sends().confirm(recvCredit, giveBack);
    flow.acknowledge(ackSeq, settle);
  }

  private void settle(Chunk chunk) {
    flow.rate().onAcked(chunk.length(), chunk.sentNs(), nowNs);
    progress.acked(chunk.length());
    giveBack(chunk);
  }

  private void giveBack(Object done) {
    watch.settled(done instanceof Chunk, nowNs);
    if (KeepAlive.PING.equals(done)) {
      return; // it was this path's own
    }
    if (!returns.offer(done)) {
      throw new IllegalStateException("the return ring of path " + id() + " is full");
    }
  }

  private void publish() {
    progress.measured(flow.rate());
    QueuePair pair = qp;
    if (pair != null && nowNs - signalsAtNs >= SIGNALS_NS) {
      signalsAtNs = nowNs;
      progress.network(pair.signals());
    }
    if (!returns.isEmpty() && !returnsScheduled.getAndSet(true)) {
      owner.loop().execute(deliverReturns);
    }
  }

  private void deliverReturns() {
    returnsScheduled.set(false);
    owner.onReturns(this);
  }

  private void drain() {
    drainScheduled.set(false);
    QueuePair pair = qp;
    if (pair == null || !established || closed) {
      return;
    }
    try {
      nowNs = loop.nanoTime();
      sendControls(pair);
      issueChunks(pair);
      flow.sendNotify(pair, receiver, memory.sends().credits());
      sendPing(pair);
      receiver.sendAck(pair);
      pair.flush();
    } catch (RuntimeException broken) {
      fail(broken);
    }
  }

  private void sendControls(QueuePair pair) {
    Envelope envelope;
    while (memory.sends().credits() > SendQueue.CONTROL_RESERVE
        && (envelope = controls.peek()) != null
        && receiver.post(pair, envelope)) {
      controls.poll();
      watch.posted(false, nowNs);
    }
  }

  private void sendPing(QueuePair pair) {
    if (memory.sends().credits() > 0 && keepAlive.takePing() && receiver.postPing(pair)) {
      watch.posted(false, nowNs);
    }
  }

  private void issueChunks(QueuePair pair) {
    Chunk chunk;
    while ((chunk = chunks.peek()) != null && flow.post(pair, chunk, nowNs)) {
      chunks.poll();
      watch.posted(true, nowNs);
      if (flow.isNotifyDue()) {
        flow.sendNotify(pair, receiver, memory.sends().credits());
      }
    }
  }

  /** The keep-alive has asked the peer for a sign of life. */
  void pinged() {
    owner.loop().execute(() -> owner.onPinged(this));
  }

  private void lookNow() {
    lookScheduled.set(false);
    QueuePair pair = qp;
    if (pair != null && established && !closed && watch.look(pair, loop.nanoTime())) {
      owner.loop().execute(tellSilent);
    }
  }

  /** Ends the path for a reason of this side. */
  void fail(Throwable reason) {
    QueuePair pair = qp;
    if (failure == null) {
      failure = reason;
    }
    if (pair == null || closed) {
      return;
    }
    if (reason instanceof VerbsException e && e.kind() == VerbsException.Kind.TIMED_OUT) {
      pair.abort(); // the peer would not hear a good-bye
    } else {
      pair.close();
    }
  }

  @Override
  public void onClosed(VerbsException cause) {
    closed = true;
    keepAlive.stop();
    memory.close();
    progress.flushed(flushed);
    Throwable first = failure == null ? cause : failure;
    owner.loop().execute(() -> owner.onPathClosed(this, first));
  }

  // ---- the session's loop, after onPathClosed

  /** Chunks that were announced or written but not acknowledged, oldest first. */
  ArrayDeque<Chunk> unacknowledgedWrites() {
    return flow.unacknowledgedWrites();
  }

  /** How many chunks the peer had acknowledged. */
  long acknowledged() {
    return flow.acknowledged();
  }

  /** How many chunks the peer had announced. */
  long received() {
    return receiver.received();
  }

  /** Chunks that never left, or whose bytes this side was to fetch: safe to repeat at once. */
  void drainRepeatable(Consumer<Chunk> sink) {
    flow.drainReads(sink);
    chunks.drain(sink::accept);
  }

  /** Control messages that the peer may not have. */
  void drainControls(Consumer<Envelope> sink) {
    memory.sends().drain(sink);
    controls.drain(sink::accept);
  }
}
