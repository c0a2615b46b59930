package io.maestro.verbs.iwarp;

import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** Connects one queue pair: the requesting side of the MPA start-up. On the queue pair's loop. */
final class Dialer implements ReadyHandler {
  private final IwarpLoop loop;
  private final ConnectOptions options;
  private final boolean checksum;
  private final QueuePairHandler handler;
  private final ByteBuffer privateData;
  private final long deadlineNs;
  private int revision = 2;
  private FrameReader reader = new FrameReader(true);
  private ByteBuffer request = ByteBuffer.allocate(0);
  private @Nullable SocketChannel channel;
  private @Nullable IwarpQueuePair qp;
  private EventLoop.@Nullable Timer deadline;

  Dialer(ConnectOptions options, boolean checksum, QueuePairHandler handler) {
    this.loop = (IwarpLoop) options.loop();
    this.options = options;
    this.checksum = checksum;
    this.handler = handler;
    this.privateData = ByteBuffer.allocate(options.privateData().remaining());
    this.privateData.put(options.privateData().duplicate()).flip();
    this.deadlineNs = loop.nanoTime() + options.timeoutNs();
  }

  void start() {
    SocketChannel opened = null;
    try {
      opened = open(options.local());
      channel = opened;
      boolean connected = opened.connect(options.remote());
      IwarpQueuePair made = new IwarpQueuePair(options.qp(), opened, options.remote(), handler);
      qp = made;
      made.create();
      deadline = loop.schedule(deadlineNs - loop.nanoTime(), this::expire);
      proceed(opened, connected);
    } catch (IOException | RuntimeException e) {
      fail(Addresses.connectFailure(options.local(), options.remote(), e));
    }
  }

  private SocketChannel open(InetSocketAddress local) throws IOException {
    SocketChannel opened = SocketChannel.open(Addresses.family(options.remote()));
    try {
      opened.configureBlocking(false);
      opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
      // A chosen port may be in use towards other peers, or wait out an old connection. Where the
      // system chooses, it must choose one that is free.
      opened.setOption(StandardSocketOptions.SO_REUSEADDR, local.getPort() != 0);
      opened.bind(local);
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private void proceed(SocketChannel opened, boolean connected) throws IOException {
    SelectionKey key = loop.register(opened, SelectionKey.OP_CONNECT, this);
    if (connected) {
      sendRequest(key, opened);
    }
  }

  @Override
  public void onReady(SelectionKey key) {
    IwarpQueuePair mine = qp;
    SocketChannel mySocket = channel;
    if (mine == null || mySocket == null || !mine.isOpen() || !key.channel().equals(mySocket)) {
      return;
    }
    try {
      if (key.isConnectable()) {
        mySocket.finishConnect();
        sendRequest(key, mySocket);
      } else if (key.isWritable()) {
        continueRequest(key, mySocket);
      } else if (key.isReadable()) {
        readReply(key, mySocket, mine);
      }
    } catch (IOException e) {
      fail(Addresses.connectFailure(mine.local(), options.remote(), e));
    }
  }

  private void sendRequest(SelectionKey key, SocketChannel connected) throws IOException {
    int depth = options.qp().readDepth();
    boolean enhanced = revision == 2;
    int flags = (checksum ? MpaFrame.CHECKSUM : 0) | (enhanced ? MpaFrame.ENHANCED : 0);
    request =
        new MpaFrame(
                false,
                flags,
                revision,
                MpaFrame.PEER_TO_PEER | depth,
                MpaFrame.RTR_WRITE | depth,
                privateData)
            .encode();
    continueRequest(key, connected);
  }

  private void continueRequest(SelectionKey key, SocketChannel connected) throws IOException {
    connected.write(request);
    key.interestOps(request.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
  }

  private void readReply(SelectionKey key, SocketChannel connected, IwarpQueuePair mine)
      throws IOException {
    switch (reader.read(connected)) {
      case INCOMPLETE -> {}
      case COMPLETE -> judge(key, reader.frame(), mine);
      case CLOSED -> fail(closedEarly(mine));
      case MALFORMED, TRUNCATED ->
          fail(
              new VerbsException(
                  Kind.PROTOCOL,
                  mine.describe("was not answered in MPA: is another protocol on that port?")));
    }
  }

  private static VerbsException closedEarly(IwarpQueuePair mine) {
    return new VerbsException(
        Kind.CONNECTION_LOST,
        mine.describe(
            "was closed before an answer: the peer may have too many pending handshakes"));
  }

  private void judge(SelectionKey key, MpaFrame reply, IwarpQueuePair mine) throws IOException {
    if (reply.has(MpaFrame.REJECT)) {
      if (reply.revision() == 1 && revision == 2) {
        redial();
      } else {
        fail(
            VerbsException.rejected(
                mine.describe("was rejected by the peer"), reply.privateData()));
      }
      return;
    }
    if (reply.has(MpaFrame.MARKERS)) {
      fail(
          new VerbsException(
              Kind.PROTOCOL,
              mine.describe(
                  "was answered with MPA markers, which are not supported: turn them off")));
      return;
    }
    cancelDeadline();
    mine.establish(key, terms(reply), reply.privateData());
  }

  private MpaTerms terms(MpaFrame reply) {
    int depth = options.qp().readDepth();
    boolean useCrc = checksum || reply.has(MpaFrame.CHECKSUM);
    if (!reply.has(MpaFrame.ENHANCED)) {
      return new MpaTerms(useCrc, false, false, depth, depth);
    }
    int peerIrd = reply.ird() & MpaFrame.DEPTH_MASK;
    boolean awaited =
        (reply.ird() & MpaFrame.PEER_TO_PEER) != 0 && (reply.ord() & MpaFrame.RTR_WRITE) != 0;
    return new MpaTerms(useCrc, false, awaited, Math.min(depth, peerIrd), depth);
  }

  /** The peer speaks revision 1 only. */
  private void redial() {
    revision = 1;
    reader = new FrameReader(true);
    SocketChannel old = channel;
    IwarpQueuePair mine = qp;
    if (old == null || mine == null) {
      return;
    }
    try {
      // Without lingering, so that the old connection does not keep the port.
      old.setOption(StandardSocketOptions.SO_LINGER, 0);
      old.close();
      SocketChannel fresh = open(options.local());
      channel = fresh;
      mine.useChannel(fresh);
      proceed(fresh, fresh.connect(options.remote()));
    } catch (IOException | RuntimeException e) {
      fail(Addresses.connectFailure(options.local(), options.remote(), e));
    }
  }

  private void expire() {
    IwarpQueuePair mine = qp;
    if (mine != null && mine.isConnecting()) {
      fail(
          new VerbsException(
              Kind.TIMED_OUT,
              mine.describe(
                  "was not answered within %d ms: check the peer and the network"
                      .formatted(options.timeoutNs() / 1_000_000))));
    }
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel();
    }
  }

  private void fail(VerbsException cause) {
    cancelDeadline();
    if (qp != null) {
      qp.close(cause);
      return;
    }
    if (channel != null) {
      QueuePairEnd.closeQuietly(channel);
    }
    QueuePairEnd.tell(handler, cause);
  }
}
