package io.maestro.path;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * What a switch sees of a flow: the fields that ECMP hashes.
 *
 * @param source address of the sender
 * @param sourcePort 0 to 65535
 * @param destination address of the receiver, of the same family
 * @param destinationPort 0 to 65535
 * @param protocol the IP protocol's number, such as {@link #TCP}
 */
public record FiveTuple(
    InetAddress source,
    int sourcePort,
    InetAddress destination,
    int destinationPort,
    int protocol) {

  /** TCP's number (IANA protocol numbers). */
  public static final int TCP = 6;

  /** UDP's number (IANA protocol numbers). */
  public static final int UDP = 17;

  /** Checks the values. */
  public FiveTuple {
    if (source.getAddress().length != destination.getAddress().length) {
      throw new IllegalArgumentException(
          "%s and %s are of different families".formatted(source, destination));
    }
    requireRange("source port", sourcePort, 65535);
    requireRange("destination port", destinationPort, 65535);
    requireRange("protocol", protocol, 255);
  }

  private static void requireRange(String what, int value, int max) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException(
          "the %s must be 0 to %d, was %d".formatted(what, max, value));
    }
  }

  /**
   * The fields in the order of the headers, big-endian: both addresses, the protocol, both ports;
   * 13 bytes for IPv4, 37 for IPv6.
   */
  ByteBuffer bytes() {
    byte[] from = source.getAddress();
    byte[] to = destination.getAddress();
    return ByteBuffer.allocate(from.length + to.length + 5)
        .put(from)
        .put(to)
        .put((byte) protocol)
        .putShort((short) sourcePort)
        .putShort((short) destinationPort)
        .flip();
  }
}
