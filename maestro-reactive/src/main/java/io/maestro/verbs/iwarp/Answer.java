package io.maestro.verbs.iwarp;

import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/** The accepting side of the MPA start-up, from the decision on; on the queue pair's loop. */
final class Answer implements ReadyHandler {
  private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);

  private final IwarpDevice device;
  private final MpaFrame request;
  private final QpOptions options;
  private final QueuePairHandler handler;
  private final IwarpLoop loop;
  private ByteBuffer reply = NO_DATA;
  private @Nullable ByteStream stream;
  private @Nullable IwarpQueuePair qp;

  Answer(IwarpDevice device, MpaFrame request, QpOptions options, QueuePairHandler handler) {
    this.device = device;
    this.request = request;
    this.options = options;
    this.handler = handler;
    this.loop = (IwarpLoop) options.loop();
  }

  void accept(
      ByteStream accepted,
      InetSocketAddress remote,
      ByteBuffer privateData,
      @Nullable SelectionKey existing) {
    stream = accepted;
    try {
      IwarpQueuePair made = new IwarpQueuePair(options, accepted, remote, handler);
      qp = made;
      made.create();
      SelectionKey key = existing == null ? loop.register(accepted.channel(), 0, this) : existing;
      key.attach(this);
      reply = frame(privateData).encode();
      send(key, accepted, made);
    } catch (IOException | RuntimeException e) {
      fail(accepted, remote, e);
    }
  }

  private void fail(ByteStream accepted, InetSocketAddress remote, Exception e) {
    VerbsException cause =
        device.isClosed()
            ? device.closedCause()
            : new VerbsException(
                Kind.CONNECTION_LOST,
                "the connection from %s was gone before it was accepted".formatted(remote),
                e);
    if (qp != null) {
      qp.close(cause);
    } else {
      QueuePairEnd.closeQuietly(accepted);
      QueuePairEnd.tell(handler, cause);
    }
  }

  @Override
  public void onReady(SelectionKey key) {
    IwarpQueuePair mine = qp;
    ByteStream accepted = stream;
    if (mine == null || accepted == null || !mine.isOpen()) {
      return;
    }
    try {
      send(key, accepted, mine);
    } catch (IOException e) {
      fail(accepted, mine.remote(), e);
    }
  }

  private void send(SelectionKey key, ByteStream accepted, IwarpQueuePair mine) throws IOException {
    if (!mine.isOpen()) {
      return;
    }
    accepted.write(reply);
    if (reply.hasRemaining() || accepted.hasUnsent()) {
      key.interestOps(SelectionKey.OP_WRITE);
    } else {
      mine.establish(key, terms(), NO_DATA);
    }
  }

  private boolean checksum() {
    return device.checksum() || request.has(MpaFrame.CHECKSUM);
  }

  private MpaFrame frame(ByteBuffer privateData) {
    boolean enhanced = request.has(MpaFrame.ENHANCED);
    int flags = (checksum() ? MpaFrame.CHECKSUM : 0) | (enhanced ? MpaFrame.ENHANCED : 0);
    int ird = options.readDepth();
    int ord = Math.min(options.readDepth(), request.ird() & MpaFrame.DEPTH_MASK);
    if ((request.ird() & MpaFrame.PEER_TO_PEER) != 0) {
      ird |= MpaFrame.PEER_TO_PEER | (request.ird() & MpaFrame.RTR_EMPTY_FPDU);
      ord |= request.ord() & (MpaFrame.RTR_WRITE | MpaFrame.RTR_READ);
    }
    return new MpaFrame(true, flags, request.revision(), ird, ord, privateData);
  }

  private MpaTerms terms() {
    int depth = options.readDepth();
    int peerIrd = request.has(MpaFrame.ENHANCED) ? request.ird() & MpaFrame.DEPTH_MASK : depth;
    return new MpaTerms(checksum(), true, false, Math.min(depth, peerIrd), depth);
  }

  /** The reply that says no. */
  static MpaFrame rejection(MpaFrame request, ByteBuffer privateData) {
    int flags = MpaFrame.REJECT | (request.has(MpaFrame.ENHANCED) ? MpaFrame.ENHANCED : 0);
    return new MpaFrame(true, flags, request.revision(), 0, 0, privateData);
  }
}
