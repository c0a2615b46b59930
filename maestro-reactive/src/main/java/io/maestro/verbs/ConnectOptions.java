package io.maestro.verbs;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * An outgoing connection.
 *
 * @param local the local address to bind, its port 0 to let the system choose: this and {@code
 *     remote} are the 5-tuple that decides the route
 * @param remote the peer's listening address
 * @param qp the queue pair's resources
 * @param privateData sent with the request; copied by {@link Device#connect}
 * @param timeoutNs nanoseconds after which the attempt ends with {@link
 *     VerbsException.Kind#TIMED_OUT}
 */
public record ConnectOptions(
    InetSocketAddress local,
    InetSocketAddress remote,
    QpOptions qp,
    ByteBuffer privateData,
    long timeoutNs) {

  /** The loop that the queue pair will live on. */
  public EventLoop loop() {
    return qp.loop();
  }
}
