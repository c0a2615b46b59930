package io.maestro.verbs.iwarp;

import io.maestro.verbs.ConnectionRequestHandler;
import io.maestro.verbs.ListenOptions;
import io.maestro.verbs.Listener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening socket; its connections do their handshake on its loop. */
final class IwarpListener implements Listener, ReadyHandler, LoopMember {
  private static final Logger LOG = LoggerFactory.getLogger(IwarpListener.class);
  private static final int ACCEPTS_PER_TURN = 64;

  /** How long to pause when the process has no file descriptor left. */
  private static final long PAUSE_NS = 100_000_000L;

  private static final long RELEASE_WAIT_MS = 1_000;

  private final IwarpDevice device;
  private final IwarpLoop loop;
  private final ListenOptions options;
  private final ConnectionRequestHandler handler;
  private final ServerSocketChannel channel;
  private final InetSocketAddress local;
  private final AtomicInteger pending = new AtomicInteger();

  IwarpListener(
      IwarpDevice device, IwarpLoop loop, ListenOptions options, ConnectionRequestHandler handler)
      throws IOException {
    this.device = device;
    this.loop = loop;
    this.options = options;
    this.handler = handler;
    this.channel = ServerSocketChannel.open(Addresses.family(options.local()));
    try {
      channel.configureBlocking(false);
      channel.bind(options.local(), options.backlog());
      local = (InetSocketAddress) channel.getLocalAddress();
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  void start() {
    loop.execute(
        () -> {
          try {
            loop.register(channel, SelectionKey.OP_ACCEPT, this);
            loop.join(this);
          } catch (ClosedChannelException e) {
            LOG.debug("closed before it began", e);
          } catch (IOException e) {
            LOG.error("cannot listen on {}", local, e);
          }
        });
  }

  @Override
  public InetSocketAddress local() {
    return local;
  }

  @Override
  public void onReady(SelectionKey key) {
    try {
      for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
        SocketChannel accepted = channel.accept();
        if (accepted == null) {
          return;
        }
        admit(accepted);
      }
    } catch (ClosedChannelException e) {
      LOG.trace("closed while accepting", e);
    } catch (IOException e) {
      LOG.warn(
          "cannot accept on {}: {}; raise the limit of open files (ulimit -n)",
          local,
          e.getMessage());
      key.interestOps(0);
      loop.schedule(
          PAUSE_NS,
          () -> {
            if (key.isValid()) {
              key.interestOps(SelectionKey.OP_ACCEPT);
            }
          });
    }
  }

  private void admit(SocketChannel accepted) {
    if (pending.get() >= options.maxPendingHandshakes()) {
      LOG.debug("{} handshakes are pending: a further one is closed", pending.get());
      QueuePairEnd.closeQuietly(accepted);
      return;
    }
    pending.incrementAndGet();
    try {
      new Incoming(device, this, accepted).start();
    } catch (IOException e) {
      LOG.debug("an accepted connection was gone", e);
      released();
      QueuePairEnd.closeQuietly(accepted);
    }
  }

  IwarpLoop loop() {
    return loop;
  }

  ListenOptions options() {
    return options;
  }

  ConnectionRequestHandler handler() {
    return handler;
  }

  /** One of the pending handshakes is over; on any loop. */
  void released() {
    pending.decrementAndGet();
  }

  @Override
  public void close() {
    CountDownLatch released = new CountDownLatch(1);
    try {
      loop.execute(
          () -> {
            shutDown();
            release();
            released.countDown();
          });
    } catch (RejectedExecutionException e) {
      return;
    }
    if (!IwarpLoop.inAnyLoop()) {
      awaitRelease(released);
    }
  }

  /** The selector keeps the port until it has forgotten the closed channel. */
  private void release() {
    try {
      loop.releaseClosedChannels();
    } catch (IOException e) {
      LOG.debug("releasing {}", local, e);
    }
  }

  private static void awaitRelease(CountDownLatch released) {
    try {
      if (!released.await(RELEASE_WAIT_MS, TimeUnit.MILLISECONDS)) {
        LOG.debug("the loop is busy: the port is released later");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void shutDown() {
    loop.leave(this);
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("closing the listener on {}", local, e);
    }
  }
}
