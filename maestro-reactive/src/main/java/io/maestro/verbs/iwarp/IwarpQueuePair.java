package io.maestro.verbs.iwarp;

import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.Signals;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import io.maestro.verbs.WcOpcode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/** One connection: what the user posts, and what the socket and the peer bring. */
final class IwarpQueuePair implements QueuePair, ReadyHandler, LoopMember {

  private enum State {
    CONNECTING,
    ESTABLISHED,
    /** Takes nothing more, and ends when this turn does. */
    CLOSING,
    CLOSED
  }

  private final IwarpLoop loop;
  private final IwarpDomain domain;
  private final QpOptions options;
  private final QueuePairHandler handler;
  private final SendQueue sends;
  private final ReceiveQueue receives;
  private final PathSignals signals = new PathSignals();
  private volatile InetSocketAddress local;
  private final InetSocketAddress remote;
  private ByteStream bytes;
  private @Nullable SelectionKey key;
  private @Nullable Stream stream;
  private State state = State.CONNECTING;
  private int maxReads;
  private boolean transmitQueued;
  private @Nullable VerbsException cause;
  private ByteBuffer lastWords = ByteBuffer.allocate(0);
  private boolean aborted;
  private TerminateMessage.@Nullable Notice notice;

  /** The two directions of an established connection. */
  private record Stream(Transmitter transmitter, Receiver receiver, boolean checksum) {}

  IwarpQueuePair(
      QpOptions options, ByteStream bytes, InetSocketAddress remote, QueuePairHandler handler)
      throws IOException {
    this.loop = (IwarpLoop) options.loop();
    this.domain = (IwarpDomain) options.domain();
    this.options = options;
    this.handler = handler;
    this.bytes = bytes;
    this.local = (InetSocketAddress) bytes.channel().getLocalAddress();
    this.remote = remote;
    this.sends = new SendQueue(options.sendDepth());
    this.receives = new ReceiveQueue(options.recvDepth());
  }

  @Override
  public IwarpLoop loop() {
    return loop;
  }

  IwarpDomain domain() {
    return domain;
  }

  QpOptions options() {
    return options;
  }

  @Override
  public InetSocketAddress local() {
    return local;
  }

  @Override
  public InetSocketAddress remote() {
    return remote;
  }

  boolean isOpen() {
    return state == State.CONNECTING || state == State.ESTABLISHED;
  }

  boolean isConnecting() {
    return state == State.CONNECTING;
  }

  /** Uses another socket for another attempt to connect. */
  void useStream(ByteStream other) {
    bytes = other;
  }

  /** Tells the handler that this queue pair exists. */
  void create() {
    loop.join(this);
    try {
      handler.onCreated(this);
    } catch (RuntimeException | Error e) {
      handlerFailed("onCreated", e);
    }
  }

  /** Takes over the key of a socket whose handshake is done. */
  void establish(SelectionKey selectionKey, MpaTerms terms, ByteBuffer peerData)
      throws IOException {
    local = (InetSocketAddress) bytes.channel().getLocalAddress();
    state = State.ESTABLISHED;
    key = selectionKey;
    maxReads = Math.min(options.readDepth(), terms.outboundReads());
    ResponseQueue responses = new ResponseQueue(terms.inboundReads());
    Transmitter transmitter = new Transmitter(this, sends, responses, terms);
    Inbound inbound = new Inbound(this, sends, receives, responses);
    stream =
        new Stream(transmitter, new Receiver(this, inbound, terms.checksum()), terms.checksum());
    selectionKey.attach(this);
    selectionKey.interestOps(SelectionKey.OP_READ);
    try {
      handler.onEstablished(this, peerData.asReadOnlyBuffer());
    } catch (RuntimeException | Error e) {
      handlerFailed("onEstablished", e);
    }
    requestTransmit();
  }

  @Override
  public boolean postWrite(
      long wrId, MemoryRegion region, long offset, int length, long remoteAddress, int rkey) {
    IwarpRegion mine = check(region, offset, length);
    if (state != State.ESTABLISHED || sends.isFull()) {
      return false;
    }
    sends.add(wrId, WcOpcode.WRITE, mine, offset, length);
    sends.setRemote(remoteAddress, rkey);
    return true;
  }

  @Override
  public boolean postRead(
      long wrId, MemoryRegion region, long offset, int length, long remoteAddress, int rkey) {
    IwarpRegion mine = check(region, offset, length);
    if (state != State.ESTABLISHED || sends.isFull() || sends.reads() >= maxReads) {
      return false;
    }
    sends.add(wrId, WcOpcode.READ, mine, offset, length);
    sends.setRemote(remoteAddress, rkey);
    return true;
  }

  @Override
  public boolean postSend(long wrId, MemoryRegion region, long offset, int length) {
    IwarpRegion mine = check(region, offset, length);
    if (state != State.ESTABLISHED || sends.isFull()) {
      return false;
    }
    sends.add(wrId, WcOpcode.SEND, mine, offset, length);
    return true;
  }

  @Override
  public boolean postRecv(long wrId, MemoryRegion region, long offset, int length) {
    IwarpRegion mine = check(region, offset, length);
    if (!isOpen() || receives.isFull()) {
      return false;
    }
    receives.add(wrId, mine, offset, length);
    return true;
  }

  private IwarpRegion check(MemoryRegion region, long offset, int length) {
    checkLoop();
    return domain.own(region, offset, length);
  }

  private void checkLoop() {
    if (!loop.inLoop()) {
      throw new IllegalStateException("a queue pair is used on its loop only: use loop().execute");
    }
  }

  @Override
  public void flush() {
    checkLoop();
    requestTransmit();
  }

  @Override
  public Signals signals() {
    checkLoop();
    return state == State.ESTABLISHED ? signals.read(local, remote) : Signals.NONE;
  }

  @Override
  public void close() {
    checkLoop();
    close(new VerbsException(Kind.CLOSED, describe("was closed by this side")));
  }

  @Override
  public void abort() {
    close();
    aborted = true;
    QueuePairEnd.resetOnClose(bytes.channel());
  }

  @Override
  public void shutDown() {
    close(new VerbsException(Kind.CLOSED, describe("was closed with its device")));
  }

  /** Ends the queue pair with this turn; the first cause counts. */
  void close(VerbsException why) {
    if (!isOpen()) {
      return;
    }
    state = State.CLOSING;
    cause = why;
    loop.endLater(this);
  }

  String describe(String what) {
    return "the connection from %s to %s %s".formatted(local, remote, what);
  }

  /** Lets this queue pair go on at the end of the turn, if there is something to go on with. */
  void requestTransmit() {
    Stream open = stream;
    if (!transmitQueued && open != null && state == State.ESTABLISHED) {
      if (open.transmitter.hasWork() || bytes.hasUnsent() || bytes.hasUnread()) {
        transmitQueued = true;
        loop.transmitLater(this);
      }
    }
  }

  void peerHasBegun() {
    if (stream != null) {
      stream.transmitter.release();
    }
  }

  /** A segment of the peer is not acceptable: tell it why, and end. */
  void terminate(Fault fault, @Nullable Segment guilty) {
    if (isOpen()) {
      lastWords = TerminateMessage.encode(fault, guilty, stream != null && stream.checksum());
      close(new VerbsException(fault.kind(), describe("was terminated: " + fault.text())));
    }
  }

  void terminatedByPeer(TerminateMessage.Notice received) {
    notice = received;
    close(
        new VerbsException(
            received.kind(), describe("was terminated by the peer: " + received.text())));
  }

  void completeSends() {
    if (stream != null) {
      stream.transmitter.complete();
    }
  }

  @Override
  public void onReady(SelectionKey ready) {
    Stream open = stream;
    if (open == null || state != State.ESTABLISHED) {
      return;
    }
    if (ready.isReadable()) {
      receive(open);
    }
    if (ready.isValid() && ready.isWritable()) {
      requestTransmit();
    }
  }

  private void receive(Stream open) {
    try {
      if (!open.receiver.receive(bytes)) {
        close(
            open.receiver.isBetweenSegments()
                ? new VerbsException(Kind.PEER_CLOSED, describe("was closed by the peer"))
                : new VerbsException(
                    Kind.CONNECTION_LOST, describe("ended in the middle of a message")));
      }
    } catch (IOException e) {
      close(lost(e));
    } catch (RuntimeException e) {
      close(new VerbsException(Kind.LOCAL, describe("met memory that is gone"), e));
    }
    deliver();
    requestTransmit();
  }

  /** Takes what the selector cannot tell of, and sends what there is; at the end of a turn. */
  void transmit() {
    transmitQueued = false;
    Stream open = stream;
    if (open == null || state != State.ESTABLISHED) {
      return;
    }
    if (bytes.hasUnread()) {
      receive(open);
    }
    try {
      Transmitter.Outcome outcome = open.transmitter.transmit(bytes);
      awaitWritable(outcome == Transmitter.Outcome.BLOCKED);
      if (outcome == Transmitter.Outcome.UNFINISHED) {
        requestTransmit();
      }
    } catch (IOException e) {
      // The peer may have said why before it closed.
      receive(open);
      close(lost(e));
    } catch (RuntimeException e) {
      close(new VerbsException(Kind.LOCAL, describe("met memory that is gone"), e));
    }
    deliver();
  }

  private void awaitWritable(boolean blocked) {
    int interest = blocked ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    if (key != null && key.isValid() && key.interestOps() != interest) {
      key.interestOps(interest);
    }
  }

  private VerbsException lost(IOException e) {
    return new VerbsException(
        Kind.CONNECTION_LOST,
        describe("broke: " + e.getMessage() + "; check the peer's log and the network"),
        e);
  }

  /** Hands the collected completions to the user. */
  void deliver() {
    CompletionBatch completions = loop.completions();
    if (completions.size() == 0) {
      return;
    }
    try {
      handler.onCompletions(this, completions);
    } catch (RuntimeException | Error e) {
      handlerFailed("onCompletions", e);
    } finally {
      completions.clear();
    }
    requestTransmit();
  }

  private void handlerFailed(String method, Throwable e) {
    close(new VerbsException(Kind.LOCAL, describe("was ended by an exception in " + method), e));
  }

  /** Ends: silences the socket, completes what was posted, tells the user; end of a turn. */
  void end() {
    VerbsException why = cause;
    if (state != State.CLOSING || why == null) {
      return;
    }
    state = State.CLOSED;
    deliver();
    loop.leave(this);
    QueuePairEnd.leaveSocket(loop, bytes, key, partingWords(why.kind()));
    QueuePairEnd.flush(this, sends, receives, notice);
    QueuePairEnd.tell(handler, why);
  }

  /** What goes out before the end of the stream; null when the socket is to be closed at once. */
  private ByteBuffer @Nullable [] partingWords(Kind kind) {
    Stream open = stream;
    boolean deaf = kind == Kind.CONNECTION_LOST || kind == Kind.PEER_CLOSED || aborted;
    ByteBuffer rest = open == null || deaf ? null : open.transmitter.restOfFpdu();
    return rest == null ? null : new ByteBuffer[] {rest, lastWords};
  }
}
