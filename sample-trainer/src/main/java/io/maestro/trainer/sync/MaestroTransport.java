package io.maestro.trainer.sync;

import io.maestro.Maestro;
import io.maestro.MaestroBuilder;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroConfig.Timeouts;
import io.maestro.api.MaestroException;
import io.maestro.api.PathReport;
import io.maestro.control.RemoteController;
import io.maestro.ps.PsConfig;
import io.maestro.ps.TensorSpec;
import io.maestro.trainer.sync.SyncStats.PathBytes;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Maestro's parameter server, over several paths from each worker to each server. */
public final class MaestroTransport implements Transport {
  /** A step may have to wait for the slowest worker, which has only its keep-alive to prove it. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  /** A worker without any path: the others are to hear of it before the run is ended for them. */
  private static final Duration RETURN = Duration.ofSeconds(1);

  private final int paths;
  private final PsConfig.Membership membership;
  private final @Nullable InetSocketAddress controller;
  private final UnaryOperator<MaestroBuilder> parts;

  /**
   * A transport.
   *
   * @param paths paths of each connection
   * @param elastic whether the others go on when a worker is lost
   * @param controller the path controller to follow; null for none
   * @param parts adds to the builder what this process needs, such as observers
   */
  public MaestroTransport(
      int paths,
      boolean elastic,
      @Nullable InetSocketAddress controller,
      UnaryOperator<MaestroBuilder> parts) {
    this.parts = parts;
    this.controller = controller;
    this.paths = paths;
    this.membership = elastic ? PsConfig.Membership.ELASTIC : PsConfig.Membership.STRICT;
  }

  @Override
  public String name() {
    return "maestro " + MaestroConfig.defaults().provider();
  }

  @Override
  public SyncServer serve(JobSpec job, ServerOptions options, MemorySegment initial, Sgd sgd) {
    try {
      return MaestroServer.start(maestro(options.secret()), settings(job), options, sgd);
    } catch (MaestroException e) {
      throw failure(e);
    }
  }

  private PsConfig settings(JobSpec job) {
    return PsConfig.with(b -> b.workers(job.workers()).membership(membership).deadline(PATIENCE));
  }

  @Override
  public GradientSync join(int rank, List<InetSocketAddress> servers, String secret, Sgd sgd) {
    return new MaestroSync(rank, servers, maestro(secret), this::settings);
  }

  Maestro maestro(String secret) {
    Timeouts usual = MaestroConfig.defaults().timeouts();
    Timeouts timeouts =
        new Timeouts(usual.connect(), usual.send(), usual.keepAlive(), usual.close(), RETURN);
    MaestroBuilder builder =
        Maestro.builder(MaestroConfig.with(b -> b.paths(paths).secret(secret).timeouts(timeouts)));
    if (controller != null) {
      builder.controller(new RemoteController(RemoteController.url(controller), secret));
    }
    return parts.apply(builder).create();
  }

  /** The whole vector as one tensor, whose name holds what all processes must agree on. */
  static TensorSpec tensor(JobSpec job) {
    return new TensorSpec(job.describe(), job.parameters());
  }

  /** What was moved, by path as far as the connections know. */
  static SyncStats stats(List<Connection> connections, long bytesSent, long bytesReceived) {
    SortedMap<Integer, Long> bytes = new TreeMap<>();
    long unacknowledged = 0;
    for (Connection connection : connections) {
      for (PathReport path : connection.paths()) {
        bytes.merge(path.id(), path.ackedBytes(), Long::sum);
        unacknowledged += path.inFlightBytes();
      }
    }
    List<PathBytes> paths = new ArrayList<>();
    bytes.forEach((id, sum) -> paths.add(new PathBytes(id, sum)));
    int chunkBytes = MaestroConfig.defaults().chunkBytes();
    return new SyncStats(bytesSent, bytesReceived, paths, Math.ceilDiv(unacknowledged, chunkBytes));
  }

  static SyncException failure(Throwable cause) {
    return new SyncException(String.valueOf(cause.getMessage()), cause);
  }
}
