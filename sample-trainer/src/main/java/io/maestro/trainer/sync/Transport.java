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
   * @param peers the servers in the order of their shards; without servers all workers in the order
   *     of their ranks
   * @param sgd makes the steps of this worker where no server does
   */
  GradientSync join(int rank, List<InetSocketAddress> peers, String secret, Sgd sgd);
}
