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
import reactor.core.publisher.Mono;

/** A parameter server of Maestro with the instance it runs on. */
final class MaestroServer implements SyncServer {
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

  @Override
  public Mono<Void> finished() {
    return server.finished().onErrorMap(MaestroException.class, MaestroTransport::failure);
  }

  @Override
  public void close() {
    server.close().then(binding.close()).onErrorComplete().block(SOON.multipliedBy(2));
    maestro.close();
  }
}
