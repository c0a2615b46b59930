package io.maestro.path;

import io.maestro.path.EcmpHash.Linux.Policy;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The arithmetic of the Linux kernel's multipath hash: SipHash over the flow's keys, laid out as
 * the kernel's {@code struct flow_keys}, then the next hop whose share of the range it falls into.
 */
final class LinuxFlowHash {
  private static final int PROTOCOL_OFFSET = 2;
  private static final int PORTS_OFFSET = 28;
  private static final int ADDRESSES_OFFSET = 36;
  private static final int PADDING = 4;
  private static final int RANGE_BITS = 31;

  private LinuxFlowHash() {}

  static long hash(Policy policy, int seed, FiveTuple tuple) {
    long half = Integer.toUnsignedLong(seed);
    long key = half << 32 | half;
    int hash = (int) SipHash.hash(keys(policy, tuple), key, key);
    hash = hash == 0 ? 1 : hash;
    boolean custom = policy == Policy.FIVE_TUPLE || policy == Policy.ADDRESSES_AND_PROTOCOL;
    // Fields of its own choice include those of an inner packet, whose hash is 0 here.
    return Integer.toUnsignedLong(custom ? mixWithZero(hash) : hash) >>> 1;
  }

  private static byte[] keys(Policy policy, FiveTuple tuple) {
    byte[] source = tuple.source().getAddress();
    byte[] destination = tuple.destination().getAddress();
    boolean swap = compare(tuple.destination(), tuple.source()) < 0;
    ByteBuffer keys = ByteBuffer.allocate(ADDRESSES_OFFSET + 2 * source.length + PADDING);
    keys.put(ADDRESSES_OFFSET, swap ? destination : source);
    keys.put(ADDRESSES_OFFSET + source.length, swap ? source : destination);
    if (policy != Policy.L3) {
      keys.put(PROTOCOL_OFFSET, (byte) tuple.protocol());
    }
    if (policy == Policy.L4 || policy == Policy.FIVE_TUPLE) {
      short from = (short) tuple.sourcePort();
      short to = (short) tuple.destinationPort();
      boolean swapPorts =
          Short.compareUnsigned(Short.reverseBytes(to), Short.reverseBytes(from)) < 0;
      keys.putShort(PORTS_OFFSET, swapPorts ? to : from);
      keys.putShort(PORTS_OFFSET + Short.BYTES, swapPorts ? from : to);
    }
    return keys.array();
  }

  /** In the kernel's order: IPv4 as a number in the machine's byte order, IPv6 byte by byte. */
  private static int compare(InetAddress a, InetAddress b) {
    byte[] left = a.getAddress();
    byte[] right = b.getAddress();
    return left.length == Integer.BYTES
        ? Integer.compareUnsigned(littleEndian(left), littleEndian(right))
        : Arrays.compareUnsigned(left, right);
  }

  private static int littleEndian(byte[] word) {
    return ByteBuffer.wrap(word).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }

  /** Bob Jenkins' lookup3 over two words, the second and the initial value being 0. */
  private static int mixWithZero(int word) {
    int initial = 0xdeadbeef + (2 << 2);
    int a = word + initial;
    int b = initial;
    int c = initial;
    c = (c ^ b) - Integer.rotateLeft(b, 14);
    a = (a ^ c) - Integer.rotateLeft(c, 11);
    b = (b ^ a) - Integer.rotateLeft(a, 25);
    c = (c ^ b) - Integer.rotateLeft(b, 16);
    a = (a ^ c) - Integer.rotateLeft(c, 4);
    b = (b ^ a) - Integer.rotateLeft(a, 14);
    return (c ^ b) - Integer.rotateLeft(b, 24);
  }

  static int choose(long hash, int[] weights) {
    long total = NextHops.total(weights);
    long sum = 0;
    for (int i = 0; i < weights.length - 1; i++) {
      sum += weights[i];
      long upperBound = ((sum << RANGE_BITS) + total / 2) / total - 1;
      if (hash <= upperBound) {
        return i;
      }
    }
    return weights.length - 1;
  }
}
