package io.maestro.trainer.sync;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;

/** Plain TCP: one connection from each worker to each server, so one path. */
public final class SocketTransport implements Transport {

  @Override
  public String name() {
    return "tcp";
  }

  @Override
  public SyncServer serve(JobSpec job, ServerOptions options, MemorySegment initial, Sgd sgd) {
    return SocketServer.start(job, options, initial, sgd);
  }

  @Override
  public GradientSync join(int rank, List<InetSocketAddress> servers, String secret) {
    return new SocketSync(rank, servers, secret);
  }
}
