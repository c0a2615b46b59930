package io.maestro.ps;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The shards of a server and the model they are from, as the first worker described it. */
final class Job {

  private final long planHash;
  private final Hello hello;
  private final Map<Integer, ServerShard> shards = new TreeMap<>();
  private final InitialClaim claim;

  Job(long planHash, Hello hello, ShardHost host) {
    this.planHash = planHash;
    this.hello = hello;
    claim = new InitialClaim(host);
    hello.shards().forEach(shard -> shards.put(shard.id(), new ServerShard(shard, host)));
  }

  /** Most native memory that a server takes for these shards and so many workers. */
  static long bytesNeeded(Hello hello, ShardUpdate update, int workers) {
    long share = hello.shards().stream().mapToLong(Shard::bytes).sum();
    return share * (2L + update.stateFloatsPerElement() + workers);
  }

  void requireSame(long otherHash, Hello other) {
    if (otherHash != planHash) {
      throw new Refusal(
          Status.TENSORS_DIFFER,
          "this worker's tensors or number of servers differ from those of the first worker; give"
              + " all workers the same list");
    }
    if (other.server() != hello.server()) {
      throw new Refusal(
          Status.CONFIGURATION_DIFFERS,
          "this server is number %d for this worker and %d for others; list the servers in one order"
              .formatted(other.server(), hello.server()));
    }
  }

  InitialClaim claim() {
    return claim;
  }

  ServerShard shard(int id) {
    ServerShard shard = shards.get(id);
    if (shard == null) {
      throw new Refusal(
          Status.UNKNOWN_SHARD, "server %d has no shard %d".formatted(hello.server(), id));
    }
    return shard;
  }

  /** The last step that a worker can no longer enter at. */
  long complete() {
    return shards.values().stream().mapToLong(ServerShard::complete).max().orElse(0);
  }

  void forEach(Consumer<ServerShard> action) {
    shards.values().forEach(action);
  }

  void leave(int rank) {
    claim.leave(rank);
    forEach(shard -> shard.leave(rank));
  }

  void refuseWaits(Refusal refusal) {
    claim.refuseWaits(refusal);
    forEach(shard -> shard.refuseWaits(refusal));
  }

  void close() {
    claim.refuseWaits(new Refusal(Status.SERVER_CLOSED, "the server was closed"));
    forEach(ServerShard::close);
  }
}
