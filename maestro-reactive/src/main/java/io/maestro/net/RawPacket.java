package io.maestro.net;

import io.maestro.net.ProbeTarget.Protocol;
import io.maestro.net.ProbeWire.Probe;
import java.nio.ByteBuffer;

/**
 * The transport header of a raw probe: a TCP segment (RFC 9293) with nothing but an ACK of an old
 * number, which the peer of a live connection would only answer and otherwise ignore, or an empty
 * UDP datagram (RFC 768). A router's answer has its first eight bytes, so the hop is among them.
 */
final class RawPacket {
  private static final int TCP_BYTES = 20;
  private static final int UDP_BYTES = 8;
  private static final int TCP_CHECKSUM = 16;
  private static final int UDP_CHECKSUM = 6;
  private static final int TCP_NUMBER = 6;
  private static final int UDP_NUMBER = 17;
  private static final int DATA_OFFSET = 5 << 4;
  private static final int ACK = 0x10;
  private static final int SEQUENCE = 4;

  private RawPacket() {}

  static byte[] of(Probe probe) {
    ProbeTarget target = probe.target();
    boolean tcp = target.protocol() == Protocol.TCP;
    // The length of a datagram tells the hop, as its header has nowhere else to put it.
    ByteBuffer packet = ByteBuffer.allocate(tcp ? TCP_BYTES : UDP_BYTES + probe.hop());
    packet.putShort((short) target.local().getPort());
    packet.putShort((short) target.remote().getPort());
    if (tcp) {
      packet.putInt(probe.hop()).putInt(0).put((byte) DATA_OFFSET).put((byte) ACK);
    } else {
      packet.putShort((short) packet.capacity());
    }
    int sum = checksum(packet, target, tcp ? TCP_NUMBER : UDP_NUMBER);
    packet.putShort(tcp ? TCP_CHECKSUM : UDP_CHECKSUM, (short) sum);
    return packet.array();
  }

  /** Whether what a router returned is the beginning of this probe. */
  static boolean isOf(Probe probe, ByteBuffer header) {
    ProbeTarget target = probe.target();
    if (header.remaining() < UDP_BYTES) {
      return false;
    }
    boolean tcp = target.protocol() == Protocol.TCP;
    int hop = tcp ? header.getInt(SEQUENCE) : Short.toUnsignedInt(header.getShort(4)) - UDP_BYTES;
    return Short.toUnsignedInt(header.getShort(0)) == target.local().getPort()
        && Short.toUnsignedInt(header.getShort(2)) == target.remote().getPort()
        && hop == probe.hop();
  }

  /** The Internet checksum (RFC 1071) over the pseudo header and the packet. */
  private static int checksum(ByteBuffer packet, ProbeTarget target, int protocol) {
    long sum = (long) protocol + packet.capacity();
    sum += words(ByteBuffer.wrap(target.local().getAddress().getAddress()));
    sum += words(ByteBuffer.wrap(target.remote().getAddress().getAddress()));
    sum += words(packet.duplicate().clear());
    while (sum >> 16 != 0) {
      sum = (sum & 0xFFFF) + (sum >> 16);
    }
    int folded = (int) ~sum & 0xFFFF;
    return folded == 0 && protocol == UDP_NUMBER ? 0xFFFF : folded;
  }

  private static long words(ByteBuffer bytes) {
    long sum = 0;
    while (bytes.remaining() >= Short.BYTES) {
      sum += Short.toUnsignedInt(bytes.getShort());
    }
    return bytes.hasRemaining() ? sum + (Byte.toUnsignedInt(bytes.get()) << 8) : sum;
  }
}
