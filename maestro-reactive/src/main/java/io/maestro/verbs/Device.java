package io.maestro.verbs;

import java.util.List;

/**
 * An open RDMA device: event loops, protection domains, listeners and connections.
 *
 * <p>All methods may be called from any thread and none waits for a peer.
 */
public interface Device extends AutoCloseable {

  /** The limits that every queue pair and region of this device obeys. */
  DeviceLimits limits();

  /** The event loops, at least one, the same list for the life of the device. */
  List<EventLoop> loops();

  /**
   * Whether time passes only while somebody drives the device, as in a simulation. What a user of
   * the device does then must be done on its loops, as no other thread is waited for.
   */
  default boolean hasVirtualTime() {
    return false;
  }

  /** A new protection domain: regions and queue pairs of different domains never meet. */
  ProtectionDomain allocateDomain();

  /**
   * Binds and listens; when it returns, peers can connect.
   *
   * @param handler called on a loop of this device for each incoming request
   * @throws VerbsException {@link VerbsException.Kind#ADDRESS_UNAVAILABLE} or {@link
   *     VerbsException.Kind#ADDRESS_IN_USE} when the address cannot be bound
   * @throws IllegalStateException when the device is closed
   */
  Listener listen(ListenOptions options, ConnectionRequestHandler handler);

  /**
   * Starts to connect a queue pair bound to a given local address, and returns at once. The handler
   * then gets {@link QueuePairHandler#onCreated}, and either {@link QueuePairHandler#onEstablished}
   * or {@link QueuePairHandler#onClosed}, all on {@link ConnectOptions#loop()}, the latter at the
   * latest when the deadline passes. Failures of the network and of addresses are reported there.
   *
   * @throws IllegalArgumentException when the private data or a depth exceeds {@link #limits()}, or
   *     the domain or the loop is not of this device
   * @throws IllegalStateException when the device is closed
   */
  void connect(ConnectOptions options, QueuePairHandler handler);

  /**
   * Closes every listener and queue pair, each with its flushed completions and {@code onClosed},
   * then stops the loops. Idempotent. Blocks until the loops have ended unless called on one of
   * them.
   */
  @Override
  void close();
}
