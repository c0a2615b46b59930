package io.maestro.verbs;

import java.net.InetSocketAddress;

/**
 * Where and how to listen.
 *
 * @param local the address and port to bind; port 0 lets the system choose
 * @param backlog how many connections may wait to be accepted
 * @param handshakeTimeoutNs how long an incoming connection may take to send its whole request, in
 *     nanoseconds; slower ones are closed
 * @param maxPendingHandshakes how many incoming connections may be in their handshake at once;
 *     further ones are closed at once
 */
public record ListenOptions(
    InetSocketAddress local, int backlog, long handshakeTimeoutNs, int maxPendingHandshakes) {

  /** A backlog of 128, five seconds for a handshake, 1,024 handshakes at once. */
  public static ListenOptions at(InetSocketAddress local) {
    return new ListenOptions(local, 128, 5_000_000_000L, 1024);
  }
}
