package io.maestro;

import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroException;
import io.maestro.api.MaestroStatus;
import io.maestro.session.Endpoint;
import io.maestro.verbs.VerbsProvider;
import java.net.InetSocketAddress;
import java.util.List;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The entry point: connects to peers and listens for them.
 *
 * <p>An instance owns event loops and memory and is meant to be shared by a whole application. All
 * methods may be called from any thread; only {@link #close} blocks.
 */
public final class Maestro implements MaestroStatus, AutoCloseable {
  private final Endpoint endpoint;
  private final MaestroConfig config;
  private final String provider;

  Maestro(Endpoint endpoint, MaestroConfig config, String provider) {
    this.endpoint = endpoint;
    this.config = config;
    this.provider = provider;
  }

  /** An instance with the default settings. */
  public static Maestro create() {
    return create(MaestroConfig.defaults());
  }

  /**
   * An instance with the given settings; user code runs on Reactor's parallel scheduler.
   *
   * @throws MaestroException.Unsupported when the provider is unknown or cannot work here; the
   *     message names those that can
   */
  public static Maestro create(MaestroConfig config) {
    return builder(config).create();
  }

  /**
   * An instance on a given provider, such as a simulated fabric.
   *
   * @param delivery where signals are delivered; {@code Schedulers.immediate()} means the event
   *     loops, which user code must then never block
   * @throws MaestroException.Unsupported when the provider cannot work here
   */
  public static Maestro create(MaestroConfig config, VerbsProvider provider, Scheduler delivery) {
    return builder(config).provider(provider).delivery(delivery).create();
  }

  /** An instance with these settings and parts of one's own. */
  public static MaestroBuilder builder(MaestroConfig config) {
    return new MaestroBuilder(config);
  }

  /**
   * Connects to a peer over the configured number of paths, each to one of its addresses in turn.
   *
   * <p>The connection is there when every path is up or has failed and at least one is up. Fails
   * with {@link MaestroException.ConnectFailed} when none is before the connect timeout, and {@link
   * MaestroException.Refused} when the peer does not share the secret. Cancelling gives up.
   */
  public Mono<Connection> connect(InetSocketAddress... remotes) {
    return endpoint.connect(List.of(remotes));
  }

  /**
   * Listens on one or more addresses, typically one per virtual NIC; port 0 lets the system choose.
   * The connections of the peers come from {@link Binding#connections()}.
   */
  public Mono<Binding> bind(InetSocketAddress... addresses) {
    return endpoint.bind(List.of(addresses));
  }

  @Override
  public String provider() {
    return provider;
  }

  @Override
  public MaestroConfig config() {
    return config;
  }

  @Override
  public List<Connection> connections() {
    return endpoint.connections();
  }

  @Override
  public long leasedBytes() {
    return endpoint.leasedBytes();
  }

  /** Ends every connection at once and stops the event loops. Idempotent. Waits for the loops. */
  @Override
  public void close() {
    endpoint.close();
  }
}
