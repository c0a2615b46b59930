package io.maestro.testing.fabric;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Sends UDP datagrams from a range of source ports: run in a host of a fabric. */
final class Datagrams {
  /** Payload of each. */
  static final int BYTES = 1000;

  /** Where nobody listens: they need only arrive. */
  static final int DISCARD_PORT = 9;

  private Datagrams() {}

  /** LOCAL REMOTE FIRST_PORT PORTS DATAGRAMS, the last for each port. */
  public static void main(String[] arguments) throws Exception {
    InetAddress local = InetAddress.ofLiteral(arguments[0]);
    InetSocketAddress remote =
        new InetSocketAddress(InetAddress.ofLiteral(arguments[1]), DISCARD_PORT);
    int first = Integer.parseInt(arguments[2]);
    int ports = Integer.parseInt(arguments[3]);
    int datagrams = Integer.parseInt(arguments[4]);
    for (int port = first; port < first + ports; port++) {
      try (DatagramChannel channel = DatagramChannel.open()) {
        channel.bind(new InetSocketAddress(local, port));
        for (int i = 0; i < datagrams; i++) {
          channel.send(ByteBuffer.allocate(BYTES), remote);
        }
      }
    }
  }
}
