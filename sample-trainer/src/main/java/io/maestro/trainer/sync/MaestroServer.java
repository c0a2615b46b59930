package io.maestro.trainer.sync;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.MaestroException;
import io.maestro.ps.ParameterServer;
import io.maestro.ps.PsConfig;
import io.maestro.ps.ShardUpdate;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A parameter server of Maestro with the instance it runs on. */
final class MaestroServer implements SyncServer {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  /** How long the others may take to hear that one is lost: they may be in the middle of a push. */
  private static final Duration FAREWELL = Duration.ofSeconds(3);

  private static final Duration SOON = Duration.ofSeconds(10);

  private final Maestro maestro;
  private final Binding binding;
  private final ParameterServer server;

  private MaestroServer(Maestro maestro, Binding binding, ParameterServer server) {
    this.maestro = maestro;
    this.binding = binding;
    this.server = server;
  }

  /** Binds and serves; owns the instance, also when it fails. */
  static MaestroServer start(Maestro maestro, PsConfig config, ServerOptions options, Sgd sgd) {
    try {
      Binding binding = Objects.requireNonNull(maestro.bind(options.listen()).block(SOON));
      ShardUpdate update = ShardUpdate.sgd(sgd.rate(), sgd.momentum());
      ParameterServer server = ParameterServer.start(binding.connections(), config, update);
      return new MaestroServer(maestro, binding, server);
    } catch (MaestroException e) {
      maestro.close();
      throw e;
    }
  }

  @Override
  public String address() {
    InetSocketAddress address = binding.addresses().getFirst();
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  /** A loss is told when the other workers have heard of it and left, or are given up. */
  @Override
  public Mono<Void> finished() {
    return server
        .finished()
        .onErrorMap(MaestroException.class, MaestroTransport::failure)
        .onErrorResume(loss -> allHaveLeft().then(Mono.error(loss)));
  }

  private Mono<Long> allHaveLeft() {
    return Flux.interval(LOOK_AGAIN)
        .takeUntil(tick -> server.statistics().members() == 0)
        .take(FAREWELL)
        .last(0L);
  }

  @Override
  public void close() {
    server.close().then(binding.close()).onErrorComplete().block(SOON.multipliedBy(2));
    maestro.close();
  }
}
