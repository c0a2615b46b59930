package io.maestro.verbs.iwarp;

import io.maestro.verbs.EventLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
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
  private final SocketChannel channel;
  private final ByteBuffer[] words;
  private EventLoop.@Nullable Timer deadline;
  private boolean said;

  Farewell(IwarpLoop loop, SocketChannel channel, ByteBuffer... words) {
    this.loop = loop;
    this.channel = channel;
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
        channel.write(words);
        said = !words[words.length - 1].hasRemaining() && !words[0].hasRemaining();
        if (said) {
          channel.shutdownOutput();
        }
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
    int got = channel.read(scratch.clear());
    for (int i = 0; got > 0 && i < 16; i++) {
      got = channel.read(scratch.clear());
    }
    return got >= 0;
  }

  /** The peer does not answer: whatever the kernel still has for it is of no use. */
  private void giveUp() {
    QueuePairEnd.resetOnClose(channel);
    close();
  }

  private void close() {
    loop.leave(this);
    if (deadline != null) {
      deadline.cancel();
    }
    try {
      channel.close();
    } catch (IOException e) {
      LOG.trace("closing", e);
    }
  }

  /** The peer has the loop's grace, and no more. */
  @Override
  public void shutDown() {
    if (loop.isEnding()) {
      close();
    }
  }
}
