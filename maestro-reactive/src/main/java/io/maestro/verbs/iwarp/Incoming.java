package io.maestro.verbs.iwarp;

import io.maestro.verbs.ConnectionRequest;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePairHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An accepted connection until it is answered: it lives on the listener's loop. */
final class Incoming implements ConnectionRequest, TlsHandshake.Owner, LoopMember {
  private static final Logger LOG = LoggerFactory.getLogger(Incoming.class);
  private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);

  private final IwarpDevice device;
  private final IwarpListener listener;
  private final ByteStream stream;
  private final InetSocketAddress local;
  private final InetSocketAddress remote;
  private final FrameReader reader = new FrameReader(false);
  private final AtomicBoolean answered = new AtomicBoolean();
  private volatile @Nullable MpaFrame request;
  private @Nullable SelectionKey key;
  private EventLoop.@Nullable Timer deadline;
  private boolean gone;

  Incoming(IwarpDevice device, IwarpListener listener, SocketChannel channel) throws IOException {
    this.device = device;
    this.listener = listener;
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    Tls tls = device.tls();
    this.stream = tls == null ? new PlainStream(channel) : tls.accept(channel);
    this.local = (InetSocketAddress) channel.getLocalAddress();
    this.remote = (InetSocketAddress) channel.getRemoteAddress();
  }

  void start() throws IOException {
    IwarpLoop loop = listener.loop();
    SelectionKey mine = loop.register(stream.channel(), SelectionKey.OP_READ, this);
    key = mine;
    deadline = loop.schedule(listener.options().handshakeTimeoutNs(), () -> drop("was too slow"));
    loop.join(this);
    TlsHandshake.start(loop, stream, mine, this);
  }

  @Override
  public InetSocketAddress local() {
    return local;
  }

  @Override
  public InetSocketAddress remote() {
    return remote;
  }

  @Override
  public ByteBuffer privateData() {
    return frame().privateData().duplicate();
  }

  private MpaFrame frame() {
    MpaFrame known = request;
    if (known == null) {
      throw new IllegalStateException("the request has not arrived");
    }
    return known;
  }

  @Override
  public void secured(SelectionKey ready) {
    ready.interestOps(SelectionKey.OP_READ);
    if (stream.hasUnread()) {
      onReady(ready);
    }
  }

  @Override
  public void unsecured(IOException why) {
    if (!gone && why instanceof SSLException) {
      LOG.warn("{} did not prove to {} who it is: {}", remote, local, why.getMessage());
      sayGoodBye();
    } else {
      drop("ended while it shook hands");
    }
  }

  @Override
  public void onReady(SelectionKey ready) {
    try {
      if (request != null) {
        // Until it is answered, a peer says nothing more: this is its end, or a breach.
        drop("ended before it was answered");
        return;
      }
      switch (reader.read(stream)) {
        case INCOMPLETE -> {}
        case COMPLETE -> arrived(reader.frame());
        case CLOSED -> drop("was closed at once");
        case MALFORMED, TRUNCATED -> drop("does not speak MPA");
      }
    } catch (IOException e) {
      LOG.debug("from {} to {}: {}", remote, local, e.getMessage());
      drop("broke");
    }
  }

  private void arrived(MpaFrame frame) {
    if (deadline != null) {
      deadline.cancel();
    }
    request = frame;
    if (frame.has(MpaFrame.MARKERS)) {
      LOG.warn("{} asks for MPA markers, which are not supported: rejected", remote);
      reject(NO_DATA);
      return;
    }
    try {
      listener.handler().onRequest(this);
    } catch (RuntimeException | Error e) {
      LOG.error("the handler of {} failed: the request of {} is rejected", local, remote, e);
      reject(NO_DATA);
    }
  }

  @Override
  public void accept(QpOptions options, ByteBuffer privateData, QueuePairHandler handler) {
    device.check(options, privateData);
    ByteBuffer copy = copy(privateData);
    if (answered.compareAndSet(false, true)) {
      Answer answer = new Answer(device, frame(), options, handler);
      onListenersLoop(
          () -> {
            SelectionKey mine = detach();
            boolean sameLoop = options.loop() == listener.loop();
            if (mine != null && !sameLoop) {
              mine.cancel();
            }
            SelectionKey kept = sameLoop ? mine : null;
            onLoop(options.loop(), () -> answer.accept(stream, remote, copy, kept), handler);
          },
          handler);
    }
  }

  @Override
  public void reject(ByteBuffer privateData) {
    device.checkPrivateData(privateData);
    ByteBuffer copy = copy(privateData);
    if (answered.compareAndSet(false, true)) {
      onListenersLoop(() -> sayGoodBye(Answer.rejection(frame(), copy).encode()), null);
    }
  }

  /** The listener counts this connection until it has gone. */
  private void sayGoodBye(ByteBuffer... words) {
    SelectionKey mine = key;
    if (!gone && mine != null) {
      leave();
      new Farewell(listener.loop(), stream, listener::released, words).start(mine);
    }
  }

  private void onListenersLoop(Runnable task, @Nullable QueuePairHandler handler) {
    if (listener.loop().inLoop()) {
      task.run();
    } else {
      onLoop(listener.loop(), task, handler);
    }
  }

  private void onLoop(EventLoop loop, Runnable task, @Nullable QueuePairHandler handler) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      QueuePairEnd.closeQuietly(stream);
      if (handler != null) {
        QueuePairEnd.tell(handler, device.closedCause());
      }
    }
  }

  /** Leaves this loop; the key when the connection is alive. */
  private @Nullable SelectionKey detach() {
    if (gone) {
      return null;
    }
    leave();
    listener.released();
    return key;
  }

  private void leave() {
    gone = true;
    if (deadline != null) {
      deadline.cancel();
    }
    listener.loop().leave(this);
  }

  private void drop(String why) {
    if (!gone) {
      LOG.debug("the incoming connection from {} to {} {}", remote, local, why);
      leave();
      listener.released();
      QueuePairEnd.closeQuietly(stream);
    }
  }

  @Override
  public void shutDown() {
    drop("met the end of the device");
  }

  private static ByteBuffer copy(ByteBuffer data) {
    return ByteBuffer.allocate(data.remaining()).put(data.duplicate()).flip();
  }
}
