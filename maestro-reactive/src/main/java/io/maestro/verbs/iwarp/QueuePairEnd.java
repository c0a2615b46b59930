package io.maestro.verbs.iwarp;

import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import io.maestro.verbs.WcOpcode;
import io.maestro.verbs.WcStatus;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps in which a queue pair ends. */
final class QueuePairEnd {
  private static final Logger LOG = LoggerFactory.getLogger(QueuePairEnd.class);

  private QueuePairEnd() {}

  /** Gives the socket to a {@link Farewell}, or closes it when there is nothing to say. */
  static void leaveSocket(
      IwarpLoop loop,
      ByteStream stream,
      @Nullable SelectionKey key,
      ByteBuffer @Nullable [] words) {
    if (words != null && key != null && key.isValid()) {
      new Farewell(loop, stream, () -> {}, words).start(key);
    } else {
      closeQuietly(stream);
    }
  }

  /** Makes the socket forget what it has when it is closed, and free its address at once. */
  static void resetOnClose(SocketChannel channel) {
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException e) {
      LOG.debug("the socket is closed already", e);
    }
  }

  static void closeQuietly(Channel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("closing a socket", e);
    }
  }

  /** Completes everything posted; the work that the peer blamed, if any, as an access error. */
  static void flush(
      IwarpQueuePair qp,
      SendQueue sends,
      ReceiveQueue receives,
      TerminateMessage.@Nullable Notice notice) {
    CompletionBatch batch = qp.loop().completions();
    WcOpcode blamed =
        notice != null && notice.kind() == Kind.REMOTE_ACCESS ? notice.guilty() : null;
    while (!sends.isEmpty()) {
      WcStatus status = WcStatus.FLUSHED;
      if (blamed != null
          && notice != null
          && sends.headCovers(blamed, notice.stag(), notice.address())) {
        status = WcStatus.REMOTE_ACCESS_ERROR;
        blamed = null;
      }
      sends.complete(status, batch);
      deliverIfFull(qp, batch);
    }
    while (!receives.isEmpty()) {
      receives.complete(WcStatus.FLUSHED, 0, batch);
      deliverIfFull(qp, batch);
    }
    qp.deliver();
  }

  private static void deliverIfFull(IwarpQueuePair qp, CompletionBatch batch) {
    if (batch.isFull()) {
      qp.deliver();
    }
  }

  static void tell(QueuePairHandler handler, VerbsException cause) {
    try {
      handler.onClosed(cause);
    } catch (RuntimeException | Error e) {
      LOG.error("onClosed of a queue pair failed", e);
    }
  }
}
