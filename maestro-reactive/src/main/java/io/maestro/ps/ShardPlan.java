package io.maestro.ps;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How the tensors are spread over the servers: the same on every worker that has the same list. All
 * tensors, one after the other, are cut into as many contiguous ranges as there are servers, equal
 * to within one element; what a server has of one tensor is cut again into shards of at most {@link
 * #MAX_SHARD_ELEMENTS}, so that aggregation overlaps with transfer. An empty tensor has one empty
 * shard.
 *
 * @param hash tells different plans apart
 */
record ShardPlan(List<TensorSpec> tensors, int servers, List<Shard> shards, long hash) {

  /** 4 MiB, some 80 chunks: small against a model, large against the cost of a message. */
  static final long MAX_SHARD_ELEMENTS = 1 << 20;

  private static final int MAX_SHARDS = 1 << 20;
  private static final long FNV_OFFSET_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  ShardPlan {
    tensors = List.copyOf(tensors);
    shards = List.copyOf(shards);
  }

  static ShardPlan of(List<TensorSpec> tensors, int servers) {
    if (servers < 1 || servers > 1024) {
      throw new IllegalArgumentException("servers must be 1 to 1024, was " + servers);
    }
    requireDistinctNames(tensors);
    List<Shard> shards = new Cutter(total(tensors), servers).cut(tensors);
    if (shards.size() > MAX_SHARDS) {
      throw new IllegalArgumentException(
          "%d shards are more than %d: join small tensors into one"
              .formatted(shards.size(), MAX_SHARDS));
    }
    return new ShardPlan(tensors, servers, shards, hashOf(tensors, servers));
  }

  List<Shard> shardsOf(int server) {
    return shards.stream().filter(shard -> shard.server() == server).toList();
  }

  private static void requireDistinctNames(List<TensorSpec> tensors) {
    Set<String> names = new HashSet<>();
    for (TensorSpec tensor : tensors) {
      if (!names.add(tensor.name())) {
        throw new IllegalArgumentException("two tensors are named " + tensor.name());
      }
    }
  }

  private static long total(List<TensorSpec> tensors) {
    return tensors.stream().mapToLong(TensorSpec::elements).reduce(0, Math::addExact);
  }

  private static long hashOf(List<TensorSpec> tensors, int servers) {
    StringBuilder text = new StringBuilder().append(servers);
    tensors.forEach(t -> text.append('\n').append(t.elements()).append(' ').append(t.name()));
    long hash = FNV_OFFSET_BASIS;
    for (byte b : text.toString().getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  /**
   * Walks once over all elements and cuts at the ends of tensors, of servers' shares, of shards.
   */
  private static final class Cutter {
    private final long total;
    private final int servers;
    private final List<Shard> shards = new ArrayList<>();
    private long position;
    private int server;

    Cutter(long total, int servers) {
      this.total = total;
      this.servers = servers;
    }

    List<Shard> cut(List<TensorSpec> tensors) {
      for (int index = 0; index < tensors.size(); index++) {
        cut(tensors.get(index), index);
      }
      return shards;
    }

    private void cut(TensorSpec tensor, int index) {
      long offset = 0;
      do {
        while (server < servers - 1 && position >= endOfShare(server)) {
          server++;
        }
        long run = Math.min(tensor.elements() - offset, endOfShare(server) - position);
        cutRun(tensor, index, offset, run);
        offset += run;
        position += run;
      } while (offset < tensor.elements());
    }

    private void cutRun(TensorSpec tensor, int index, long offset, long run) {
      long pieces = Math.max(1, Math.ceilDiv(run, MAX_SHARD_ELEMENTS));
      for (long piece = 0; piece < pieces; piece++) {
        long start = share(run, piece, pieces);
        long elements = share(run, piece + 1, pieces) - start;
        shards.add(
            new Shard(shards.size(), tensor.name(), index, offset + start, elements, server));
      }
    }

    private long endOfShare(int ofServer) {
      return share(total, ofServer + 1L, servers);
    }

    /** {@code whole * part / parts} without overflow. */
    private static long share(long whole, long part, long parts) {
      return whole / parts * part + whole % parts * part / parts;
    }
  }
}
