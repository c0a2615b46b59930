package io.maestro.verbs.iwarp;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A socket whose peer has sent a certain stream and reads everything. */
final class StreamChannel extends SocketChannel {
  private static final InetSocketAddress NOWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  private final ByteBuffer stream;
  private final int mostAtOnce;

  /**
   * @param mostAtOnce how many bytes one read brings at most
   */
  StreamChannel(byte[] stream, int mostAtOnce) {
    super(SelectorProvider.provider());
    this.stream = ByteBuffer.wrap(stream);
    this.mostAtOnce = mostAtOnce;
  }

  @Override
  public int read(ByteBuffer to) {
    int bytes = Math.min(Math.min(to.remaining(), stream.remaining()), mostAtOnce);
    if (bytes == 0) {
      return stream.hasRemaining() ? 0 : -1;
    }
    to.put(stream.slice(stream.position(), bytes));
    stream.position(stream.position() + bytes);
    return bytes;
  }

  @Override
  public long read(ByteBuffer[] to, int offset, int length) {
    long all = 0;
    for (int i = offset; i < offset + length; i++) {
      int got = read(to[i]);
      if (got < 0) {
        return all == 0 ? -1 : all;
      }
      all += got;
      if (to[i].hasRemaining()) {
        return all;
      }
    }
    return all;
  }

  @Override
  public int write(ByteBuffer from) {
    int bytes = from.remaining();
    from.position(from.limit());
    return bytes;
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) {
    long all = 0;
    for (int i = offset; i < offset + length; i++) {
      all += write(from[i]);
    }
    return all;
  }

  @Override
  public SocketAddress getLocalAddress() {
    return NOWHERE;
  }

  @Override
  public SocketAddress getRemoteAddress() {
    return NOWHERE;
  }

  @Override
  protected void implCloseSelectableChannel() {
    // There is nothing to close.
  }

  @Override
  protected void implConfigureBlocking(boolean block) {
    // It never blocks.
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public boolean isConnectionPending() {
    return false;
  }

  @Override
  public boolean connect(SocketAddress remote) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean finishConnect() {
    return true;
  }

  @Override
  public SocketChannel bind(SocketAddress local) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> SocketChannel setOption(SocketOption<T> name, T value) {
    return this;
  }

  @Override
  public <T> T getOption(SocketOption<T> name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return Set.of();
  }

  @Override
  public SocketChannel shutdownInput() {
    return this;
  }

  @Override
  public SocketChannel shutdownOutput() {
    return this;
  }

  @Override
  public Socket socket() {
    throw new UnsupportedOperationException();
  }

  /** Its key: always readable, and of no selector. */
  final class Key extends SelectionKey {
    private int interest;

    @Override
    public StreamChannel channel() {
      return StreamChannel.this;
    }

    @Override
    public Selector selector() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isValid() {
      return false;
    }

    @Override
    public void cancel() {
      // There is no selector that would forget it.
    }

    @Override
    public int interestOps() {
      return interest;
    }

    @Override
    public SelectionKey interestOps(int ops) {
      interest = ops;
      return this;
    }

    @Override
    public int readyOps() {
      return OP_READ;
    }
  }
}
