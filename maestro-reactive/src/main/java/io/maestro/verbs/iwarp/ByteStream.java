package io.maestro.verbs.iwarp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.channels.SocketChannel;

/**
 * The bytes of one connection, as its two sides mean them. Nothing blocks; on one loop at a time.
 *
 * <p>A write may keep bytes that the socket does not take yet: {@link #hasUnsent()} says so, and
 * the next write of anything sends them first.
 */
interface ByteStream extends ScatteringByteChannel, GatheringByteChannel {

  /** The socket below. */
  SocketChannel channel();

  /** Whether bytes were taken that the socket has not. */
  boolean hasUnsent();

  /** Whether bytes are here already that the selector does not know of. */
  boolean hasUnread();

  /** Says that nothing more is written; whether the socket has taken that and all before it. */
  boolean finish() throws IOException;

  @Override
  default long read(ByteBuffer[] targets) throws IOException {
    return read(targets, 0, targets.length);
  }

  @Override
  default long write(ByteBuffer[] sources) throws IOException {
    return write(sources, 0, sources.length);
  }

  @Override
  default boolean isOpen() {
    return channel().isOpen();
  }

  @Override
  default void close() throws IOException {
    channel().close();
  }
}
