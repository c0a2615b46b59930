package io.maestro.verbs.iwarp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Bytes as the socket has them. */
record PlainStream(SocketChannel channel) implements ByteStream {

  @Override
  public int read(ByteBuffer target) throws IOException {
    return channel.read(target);
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return channel.read(targets, offset, length);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return channel.write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return channel.write(sources, offset, length);
  }

  @Override
  public boolean hasUnsent() {
    return false;
  }

  @Override
  public boolean hasUnread() {
    return false;
  }

  @Override
  public boolean finish() throws IOException {
    channel.shutdownOutput();
    return true;
  }
}
