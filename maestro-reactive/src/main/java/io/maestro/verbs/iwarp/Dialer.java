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
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects one queue pair: the requesting side of the MPA start-up. On the queue pair's loop. */
final class Dialer implements TlsHandshake.Owner {
  private static final Logger LOG = LoggerFactory.getLogger(Dialer.class);

  private final IwarpLoop loop;
  private final ConnectOptions options;
  private final boolean checksum;
  private final @Nullable Tls tls;
  private final QueuePairHandler handler;
  private final ByteBuffer privateData;
  private final long deadlineNs;
  private int revision = 2;
  private FrameReader reader = new FrameReader(true);
  private ByteBuffer request = ByteBuffer.allocate(0);
  private @Nullable ByteStream stream;
  private @Nullable IwarpQueuePair qp;
  private EventLoop.@Nullable Timer deadline;

  Dialer(ConnectOptions options, boolean checksum, @Nullable Tls tls, QueuePairHandler handler) {
    this.loop = (IwarpLoop) options.loop();
    this.options = options;
    this.checksum = checksum;
    this.tls = tls;
    this.handler = handler;
    this.privateData = ByteBuffer.allocate(options.privateData().remaining());
    this.privateData.put(options.privateData().duplicate()).flip();
    this.deadlineNs = loop.nanoTime() + options.timeoutNs();
  }

  void start() {
    try {
      ByteStream opened = open(options.local());
      stream = opened;
      boolean connected = opened.channel().connect(options.remote());
      IwarpQueuePair made = new IwarpQueuePair(options.qp(), opened, options.remote(), handler);
      qp = made;
      made.create();
      deadline = loop.schedule(deadlineNs - loop.nanoTime(), this::expire);
      proceed(opened, connected);
    } catch (IOException | RuntimeException e) {
      fail(Addresses.connectFailure(options.local(), options.remote(), e));
    }
  }

  private ByteStream open(InetSocketAddress local) throws IOException {
    SocketChannel opened = SocketChannel.open(Addresses.family(options.remote()));
    try {
      opened.configureBlocking(false);
      opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
      // A chosen port may be in use towards other peers, or wait out an old connection. Where the
      // system chooses, it must choose one that is free.
      opened.setOption(StandardSocketOptions.SO_REUSEADDR, local.getPort() != 0);
      opened.bind(local);
      return tls == null ? new PlainStream(opened) : tls.dial(opened);
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private void proceed(ByteStream opened, boolean connected) throws IOException {
    SelectionKey key = loop.register(opened.channel(), SelectionKey.OP_CONNECT, this);
    if (connected) {
      TlsHandshake.start(loop, opened, key, this);
    }
  }

  @Override
  public void onReady(SelectionKey key) {
    IwarpQueuePair mine = qp;
    ByteStream bytes = stream;
    if (mine == null || bytes == null || !mine.isOpen() || !key.channel().equals(bytes.channel())) {
      return;
    }
    try {
      if (key.isConnectable()) {
        bytes.channel().finishConnect();
        TlsHandshake.start(loop, bytes, key, this);
      } else if (key.isWritable()) {
        continueRequest(key, bytes);
      } else if (key.isReadable()) {
        readReply(key, bytes, mine);
      }
    } catch (IOException e) {
      fail(Addresses.connectFailure(mine.local(), options.remote(), e));
    }
  }

  @Override
  public void secured(SelectionKey key) {
    ByteStream bytes = stream;
    if (bytes == null || !key.channel().equals(bytes.channel())) {
      return;
    }
    try {
      sendRequest(key, bytes);
    } catch (IOException e) {
      unsecured(e);
    }
  }

  @Override
  public void unsecured(IOException why) {
    InetSocketAddress local = qp == null ? options.local() : qp.local();
    if (stream != null && why instanceof SSLException) {
      tellThePeer(stream);
    }
    fail(Addresses.connectFailure(local, options.remote(), why));
  }

  /** Lets the peer's log say what the certificate lacks, as far as the socket takes it. */
  private static void tellThePeer(ByteStream secured) {
    try {
      secured.finish();
    } catch (IOException e) {
      LOG.trace("the peer has gone", e);
    }
  }

  private void sendRequest(SelectionKey key, ByteStream connected) throws IOException {
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

  private void continueRequest(SelectionKey key, ByteStream connected) throws IOException {
    connected.write(request);
    boolean blocked = request.hasRemaining() || connected.hasUnsent();
    key.interestOps(blocked ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
  }

  private void readReply(SelectionKey key, ByteStream connected, IwarpQueuePair mine)
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
    ByteStream old = stream;
    IwarpQueuePair mine = qp;
    if (old == null || mine == null) {
      return;
    }
    try {
      // Without lingering, so that the old connection does not keep the port.
      QueuePairEnd.resetOnClose(old.channel());
      old.close();
      ByteStream fresh = open(options.local());
      stream = fresh;
      mine.useStream(fresh);
      proceed(fresh, fresh.channel().connect(options.remote()));
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
    if (stream != null) {
      QueuePairEnd.closeQuietly(stream);
    }
    QueuePairEnd.tell(handler, cause);
  }
}
