package io.maestro.ps;

import io.maestro.api.Region;
import io.maestro.ps.PsConfig.Membership;
import java.lang.foreign.MemorySegment;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a worker says first: the settings it works with and the shards it will send.
 *
 * @param littleEndian byte order of its floats
 * @param server the index of the server that it speaks to, among {@code servers}
 * @param shards those of that server
 */
record Hello(
    int workers,
    Consistency consistency,
    Membership membership,
    boolean littleEndian,
    int server,
    int servers,
    List<Shard> shards) {

  private static final int FIXED_BYTES = 24;
  private static final int SHARD_BYTES = 26;

  Hello {
    shards = List.copyOf(shards);
  }

  static Hello of(PsConfig config, ShardPlan plan, int server) {
    return new Hello(
        config.workers(),
        config.consistency(),
        config.membership(),
        ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN,
        server,
        plan.servers(),
        plan.shardsOf(server));
  }

  /** What must be equal on all workers and servers of a job. */
  String settings() {
    return "%d workers, %s, %s, %s-endian"
        .formatted(workers, consistency, membership, littleEndian ? "little" : "big");
  }

  Region encode() {
    int size = FIXED_BYTES;
    for (Shard shard : shards) {
      size += SHARD_BYTES + shard.name().getBytes(StandardCharsets.UTF_8).length;
    }
    Region region = Region.allocate(size);
    ByteBuffer out = region.segment().asByteBuffer();
    boolean synchronous = consistency instanceof Consistency.Synchronous;
    out.putInt(workers).putInt(synchronous ? -1 : consistency.staleness());
    out.put((byte) (membership == Membership.STRICT ? 0 : 1))
        .put((byte) (littleEndian ? 1 : 0))
        .putShort((short) 0);
    out.putInt(server).putInt(servers).putInt(shards.size());
    for (Shard shard : shards) {
      byte[] name = shard.name().getBytes(StandardCharsets.UTF_8);
      out.putInt(shard.id()).putInt(shard.tensor()).putLong(shard.offset());
      out.putLong(shard.elements()).putShort((short) name.length).put(name);
    }
    return region;
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws Refusal when it is anything else
   */
  static Hello decode(MemorySegment payload) {
    try {
      if (payload.byteSize() > Integer.MAX_VALUE) {
        throw malformed("it is too long");
      }
      return decode(payload.asByteBuffer());
    } catch (BufferUnderflowException e) {
      throw malformed("it is cut off");
    } catch (IllegalArgumentException e) {
      throw malformed(String.valueOf(e.getMessage()));
    }
  }

  private static Hello decode(ByteBuffer in) {
    int workers = in.getInt();
    int staleness = in.getInt();
    Consistency consistency =
        staleness == -1 ? Consistency.SYNCHRONOUS : new Consistency.BoundedStaleness(staleness);
    Membership membership = in.get() == 0 ? Membership.STRICT : Membership.ELASTIC;
    boolean littleEndian = in.get() == 1;
    in.getShort();
    int server = in.getInt();
    int servers = in.getInt();
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / SHARD_BYTES) {
      throw malformed("it announces " + count + " shards");
    }
    List<Shard> shards = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      shards.add(decodeShard(in, server));
    }
    return new Hello(workers, consistency, membership, littleEndian, server, servers, shards);
  }

  private static Shard decodeShard(ByteBuffer in, int server) {
    int id = in.getInt();
    int tensor = in.getInt();
    long offset = in.getLong();
    long elements = in.getLong();
    byte[] name = new byte[Short.toUnsignedInt(in.getShort())];
    in.get(name);
    if (elements < 0 || elements > ShardPlan.MAX_SHARD_ELEMENTS) {
      throw malformed("shard " + id + " has " + elements + " elements");
    }
    return new Shard(
        id, new String(name, StandardCharsets.UTF_8), tensor, offset, elements, server);
  }

  private static Refusal malformed(String how) {
    return new Refusal(Status.MALFORMED, "the greeting cannot be read: " + how);
  }
}
