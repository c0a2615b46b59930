package io.maestro.trainer.sync;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;

/** What carries gradients and parameters between processes. */
public interface Transport {

  /** Its name in the report. */
  String name();

  /**
   * Starts the server of one shard.
   *
   * @param initial the initial parameters of the shard: native memory, changed in place
   */
  SyncServer serve(JobSpec job, ServerOptions options, MemorySegment initial, Sgd sgd);

  /**
   * A worker's side, which connects when it is registered.
   *
   * @param servers in the order of their shards
   */
  GradientSync join(int rank, List<InetSocketAddress> servers, String secret);
}
