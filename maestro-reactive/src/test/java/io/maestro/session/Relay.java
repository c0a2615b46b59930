package io.maestro.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Passes TCP connections on to a target, and can hold up or break what it passes. */
final class Relay implements AutoCloseable {
  private final InetSocketAddress target;
  private final InetSocketAddress address;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private volatile ServerSocketChannel listener;
  private volatile Rig.Wire state = Rig.Wire.GOOD;

  Relay(InetSocketAddress target) {
    this.target = target;
    listener = listen(new InetSocketAddress(target.getAddress(), 0));
    try {
      address = (InetSocketAddress) listener.getLocalAddress();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  InetSocketAddress address() {
    return address;
  }

  private ServerSocketChannel listen(InetSocketAddress at) {
    try {
      ServerSocketChannel bound = ServerSocketChannel.open();
      bound.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      bound.bind(at);
      Thread.startVirtualThread(() -> accept(bound));
      return bound;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void set(Rig.Wire next) {
    Rig.Wire before = state;
    lock.lock();
    try {
      state = next;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (next == Rig.Wire.BROKEN) {
      close();
    } else if (before == Rig.Wire.BROKEN) {
      listener = listen(address);
    }
  }

  private void accept(ServerSocketChannel from) {
    try {
      while (from.isOpen()) {
        SocketChannel one = from.accept();
        open.add(one);
        Thread.startVirtualThread(() -> connect(one));
      }
    } catch (IOException closed) {
      return;
    }
  }

  private void connect(SocketChannel one) {
    try {
      passOrWait();
      SocketChannel other = SocketChannel.open();
      open.add(other);
      // from the address that it listens at: the kernel would choose 127.0.0.1 for all
      other.bind(new InetSocketAddress(address.getAddress(), 0));
      other.connect(target);
      one.setOption(StandardSocketOptions.TCP_NODELAY, true);
      other.setOption(StandardSocketOptions.TCP_NODELAY, true);
      Thread.startVirtualThread(() -> pass(one, other));
      pass(other, one);
    } catch (IOException refused) {
      abort(one);
    }
  }

  private void pass(SocketChannel from, SocketChannel to) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    try {
      passOrWait();
      while (from.read(buffer.clear()) >= 0) {
        buffer.flip();
        passOrWait(); // with what it has read: late when it goes on
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
      }
      to.shutdownOutput();
    } catch (IOException broken) {
      abort(from);
      abort(to);
    }
  }

  private void passOrWait() {
    lock.lock();
    try {
      while (state == Rig.Wire.FROZEN) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void abort(SocketChannel channel) {
    open.remove(channel);
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      channel.close();
    } catch (IOException ended) {
      return;
    }
  }

  /** Breaks everything, and listens no more. */
  @Override
  public void close() {
    lock.lock();
    try {
      state = Rig.Wire.BROKEN;
      changed.signalAll();
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
    open.forEach(this::abort);
  }
}
