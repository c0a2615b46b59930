package io.maestro.path;

/**
 * How a switch chooses among next hops of equal cost. Vendors publish little of theirs, so a model
 * is a hypothesis: a probe of the same 5-tuple shows whether it holds.
 *
 * <p>Pure and immutable; any thread.
 */
public sealed interface EcmpHash {

  /** The hash of a flow, an unsigned number below {@link #hashRange}. */
  long hash(FiveTuple tuple);

  /** One more than the largest hash. */
  long hashRange();

  /**
   * Which next hop a flow takes.
   *
   * @param weights of the next hops, in the order of the switch's table, all positive
   * @return an index into {@code weights}
   */
  int choose(FiveTuple tuple, int[] weights);

  /** How a hash becomes a next hop. */
  enum Selection {
    /** The remainder of the division by the sum of the weights (modulo-N of RFC 2991). */
    MODULO,
    /** The region of the range of hashes that it falls into (hash-threshold of RFC 2992). */
    THRESHOLD;

    int choose(long hash, long range, int[] weights) {
      long total = NextHops.total(weights);
      // An unsigned 32-bit hash times 2^31 still fits.
      long slot = this == MODULO ? hash % total : hash * total / range;
      return NextHops.at(slot, weights);
    }
  }

  /**
   * CRC-32 as of IEEE 802.3 over the 5-tuple's bytes in the order of the headers.
   *
   * @param seed exclusive-ored into the register's initial value, 32 bits
   */
  record Crc32(int seed, Selection selection) implements EcmpHash {
    @Override
    public long hash(FiveTuple tuple) {
      return Crc.crc32(tuple.bytes(), seed);
    }

    @Override
    public long hashRange() {
      return 1L << 32;
    }

    @Override
    public int choose(FiveTuple tuple, int[] weights) {
      return selection.choose(hash(tuple), hashRange(), weights);
    }
  }

  /**
   * CRC-16-CCITT (polynomial 0x1021, initial value 0xFFFF, not reflected) over the 5-tuple's bytes
   * in the order of the headers.
   *
   * @param seed exclusive-ored into the register's initial value, its lower 16 bits
   */
  record Crc16Ccitt(int seed, Selection selection) implements EcmpHash {
    @Override
    public long hash(FiveTuple tuple) {
      return Crc.crc16Ccitt(tuple.bytes(), seed);
    }

    @Override
    public long hashRange() {
      return 1L << 16;
    }

    @Override
    public int choose(FiveTuple tuple, int[] weights) {
      return selection.choose(hash(tuple), hashRange(), weights);
    }
  }

  /**
   * The exclusive or of all bytes of the 5-tuple.
   *
   * @param seed exclusive-ored with the result, its lower 8 bits
   */
  record XorFold(int seed, Selection selection) implements EcmpHash {
    @Override
    public long hash(FiveTuple tuple) {
      int folded = seed;
      for (byte b : tuple.bytes().array()) {
        folded ^= b;
      }
      return folded & 0xFF;
    }

    @Override
    public long hashRange() {
      return 1L << 8;
    }

    @Override
    public int choose(FiveTuple tuple, int[] weights) {
      return selection.choose(hash(tuple), hashRange(), weights);
    }
  }

  /**
   * The multipath hash of a forwarding Linux of version 6.11 or later with a seed set by {@code
   * sysctl net.ipv4.fib_multipath_hash_seed}, on a little-endian machine. With policy {@link
   * Policy#L4} a packet from a local socket, and one that comes over a veth, keeps the socket's
   * hash instead: then nothing can be predicted.
   *
   * @param policy which fields are hashed
   * @param seed not 0, which means a random one that nobody can read
   */
  record Linux(Policy policy, int seed) implements EcmpHash {

    /** Values of {@code net.ipv4.fib_multipath_hash_policy} that can be predicted. */
    public enum Policy {
      /** 0: the addresses. */
      L3,
      /** 1: the 5-tuple. */
      L4,
      /**
       * 3 with {@code fib_multipath_hash_fields=0x37}: the 5-tuple, always read from the packet.
       */
      FIVE_TUPLE,
      /** 3 with the default {@code fib_multipath_hash_fields=0x7}: addresses and protocol. */
      ADDRESSES_AND_PROTOCOL
    }

    /** Checks the seed. */
    public Linux {
      if (seed == 0) {
        throw new IllegalArgumentException(
            "the seed of a Linux hash must not be 0, which means random: set"
                + " net.ipv4.fib_multipath_hash_seed");
      }
    }

    @Override
    public long hash(FiveTuple tuple) {
      return LinuxFlowHash.hash(policy, seed, tuple);
    }

    @Override
    public long hashRange() {
      return 1L << 31;
    }

    @Override
    public int choose(FiveTuple tuple, int[] weights) {
      return LinuxFlowHash.choose(hash(tuple), weights);
    }
  }
}
