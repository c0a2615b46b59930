package io.maestro.verbs;

import java.net.InetSocketAddress;

/** A bound address that accepts connections. Any thread. */
public interface Listener extends AutoCloseable {

  /** The bound address, with the real port when port 0 was asked for. */
  InetSocketAddress local();

  /** Stops listening; queue pairs already accepted live on. Idempotent. */
  @Override
  void close();
}
