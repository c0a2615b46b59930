package io.maestro.trainer.sync;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;

/** Workers that reduce gradients among themselves over Maestro, without a server. */
public final class AllReduceTransport implements Transport {

  private final MaestroTransport maestro;

  /** Over connections of this kind. */
  public AllReduceTransport(MaestroTransport maestro) {
    this.maestro = maestro;
  }

  @Override
  public String name() {
    return maestro.name() + " all-reduce";
  }

  /** There is none. */
  @Override
  public SyncServer serve(JobSpec job, ServerOptions options, MemorySegment initial, Sgd sgd) {
    throw new SyncException("workers that all-reduce have no server", null);
  }

  @Override
  public GradientSync join(int rank, List<InetSocketAddress> peers, String secret, Sgd sgd) {
    return new AllReduceSync(rank, peers, maestro.maestro(secret), sgd);
  }
}
