package io.maestro.trainer.sync;

import io.maestro.Maestro;
import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import io.maestro.ps.ParameterClient;
import io.maestro.ps.PsConfig;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A worker's part over Maestro: a connection of several paths to each server. */
final class MaestroSync implements GradientSync {
  private static final Duration SOON = Duration.ofSeconds(10);

  private final int rank;
  private final List<InetSocketAddress> servers;
  private final Maestro maestro;
  private final Function<JobSpec, PsConfig> settings;
  private volatile List<Connection> connections = List.of();
  private volatile @Nullable ParameterClient client;

  MaestroSync(
      int rank,
      List<InetSocketAddress> servers,
      Maestro maestro,
      Function<JobSpec, PsConfig> settings) {
    this.rank = rank;
    this.servers = List.copyOf(servers);
    this.maestro = maestro;
    this.settings = settings;
  }

  @Override
  public Mono<Void> register(JobSpec job, MemorySegment parameters) {
    PsConfig config = settings.apply(job);
    return Flux.fromIterable(servers)
        .concatMap(maestro::connect)
        .collectList()
        .doOnNext(all -> connections = all)
        .flatMap(
            all -> ParameterClient.join(all, rank, List.of(MaestroTransport.tensor(job)), config))
        .doOnNext(joined -> client = joined)
        .flatMap(
            joined ->
                Mono.using(
                    () -> Region.wrap(parameters), r -> joined.init(List.of(r)), Region::close))
        .onErrorMap(MaestroException.Rejected.class, e -> rejected(job, e))
        .onErrorMap(MaestroException.class, MaestroTransport::failure);
  }

  private static SyncException rejected(JobSpec job, MaestroException reason) {
    return new SyncException(
        "%s; this worker's job: %s".formatted(reason.getMessage(), job.describe()), reason);
  }

  @Override
  public Mono<Void> pushPull(long step, MemorySegment gradients, MemorySegment parameters) {
    ParameterClient joined = client;
    if (joined == null) {
      return Mono.error(new IllegalStateException("register first"));
    }
    return Mono.using(
            () -> Region.wrap(gradients),
            from -> exchange(joined, step, from, parameters),
            Region::close)
        .onErrorMap(MaestroException.class, MaestroTransport::failure);
  }

  private static Mono<Void> exchange(
      ParameterClient joined, long step, Region gradients, MemorySegment parameters) {
    return Mono.using(
        () -> Region.wrap(parameters),
        into ->
            joined.exchange(joined.firstStep() + step, List.of(gradients), List.of(into)).then(),
        Region::close);
  }

  @Override
  public SyncStats stats() {
    ParameterClient joined = client;
    if (joined == null) {
      return SyncStats.NONE;
    }
    ParameterClient.Statistics moved = joined.statistics();
    return MaestroTransport.stats(connections, moved.bytesPushed(), moved.bytesPulled());
  }

  @Override
  public void close() {
    ParameterClient joined = client;
    Mono<Void> left = joined == null ? Mono.empty() : joined.leave();
    left.onErrorComplete()
        .thenMany(Flux.fromIterable(connections).concatMap(Connection::close))
        .onErrorComplete()
        .then()
        .timeout(SOON, Mono.empty())
        .block(SOON.multipliedBy(2));
    maestro.close();
  }
}
