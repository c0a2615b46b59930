package io.maestro.verbs.iwarp;

import io.maestro.verbs.EventLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a connection whose queue pair is gone already: sends what is left to say, then reads and
 * forgets what still comes until the peer closes too. Closing with bytes unread would reset the
 * connection, and the peer would lose what was sent to it last.
 */
final class Farewell implements ReadyHandler, LoopMember {
  private static final Logger LOG = LoggerFactory.getLogger(Farewell.class);
  private static final long LONGEST_NS = 2_000_000_000L;

  private final IwarpLoop loop;
  private final ByteStream stream;
  private final Runnable after;
  private final ByteBuffer[] words;
  private EventLoop.@Nullable Timer deadline;
  private boolean said;
  private boolean closed;

  Farewell(IwarpLoop loop, ByteStream stream, Runnable after, ByteBuffer... words) {
    this.loop = loop;
    this.stream = stream;
    this.after = after;
    this.words = words;
  }

  void start(SelectionKey key) {
    key.attach(this);
    loop.join(this);
    deadline = loop.schedule(LONGEST_NS, this::giveUp);
    proceed(key);
  }

  @Override
  public void onReady(SelectionKey key) {
    proceed(key);
  }

  private void proceed(SelectionKey key) {
    try {
      if (!said) {
        stream.write(words);
        said = Arrays.stream(words).noneMatch(ByteBuffer::hasRemaining) && stream.finish();
      }
      if (!drain()) {
        close();
      } else {
        key.interestOps(said ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
      }
    } catch (IOException | RuntimeException e) {
      LOG.trace("the peer did not wait for the end", e);
      close();
    }
  }

  private boolean drain() throws IOException {
    ByteBuffer scratch = loop.scratch();
    SocketChannel channel = stream.channel();
    int got = channel.read(scratch.clear());
    for (int i = 0; got > 0 && i < 16; i++) {
      got = channel.read(scratch.clear());
    }
    return got >= 0;
  }

  /** The peer does not answer: whatever the kernel still has for it is of no use. */
  private void giveUp() {
    QueuePairEnd.resetOnClose(stream.channel());
    close();
  }

  private void close() {
    if (closed) {
      return;
    }
    closed = true;
    loop.leave(this);
    if (deadline != null) {
      deadline.cancel();
    }
    QueuePairEnd.closeQuietly(stream);
    after.run();
  }

  /** The peer has the loop's grace, and no more. */
  @Override
  public void shutDown() {
    if (loop.isEnding()) {
      close();
    }
  }
}
