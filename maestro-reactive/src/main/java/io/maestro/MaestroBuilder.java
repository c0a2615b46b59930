package io.maestro;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroException;
import io.maestro.api.MaestroObserver;
import io.maestro.api.PathController;
import io.maestro.net.PathPlanner;
import io.maestro.session.Endpoint;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsProvider;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Puts a {@link Maestro} together from settings and, where they are given, parts of one's own. Not
 * thread-safe.
 */
public final class MaestroBuilder {
  private final MaestroConfig config;
  private @Nullable VerbsProvider provider;
  private Scheduler delivery = Schedulers.parallel();
  private @Nullable PathPlanner planner;
  private @Nullable CircuitBreakerRegistry breakers;
  private @Nullable PathController controller;
  private final List<MaestroObserver> observers = new ArrayList<>();

  MaestroBuilder(MaestroConfig config) {
    this.config = config;
  }

  /** The provider, such as a simulated fabric; else the one that the settings name is found. */
  public MaestroBuilder provider(VerbsProvider value) {
    provider = value;
    return this;
  }

  /**
   * Where signals are delivered; Reactor's parallel scheduler by default. {@code
   * Schedulers.immediate()} means the event loops, which user code must then never block.
   */
  public MaestroBuilder delivery(Scheduler value) {
    delivery = value;
    return this;
  }

  /**
   * What chooses the routes of outgoing paths; what {@link MaestroConfig#routing()} asks for by
   * default.
   */
  public MaestroBuilder planner(PathPlanner value) {
    planner = value;
    return this;
  }

  /**
   * Where the circuit breakers of paths are to be found while their connections last, so that they
   * can be watched and forced. A configuration of the name {@code maestro} in the registry takes
   * the place of {@link MaestroConfig#breaker()} for thresholds and the number of probes.
   */
  public MaestroBuilder breakers(CircuitBreakerRegistry value) {
    breakers = value;
    return this;
  }

  /**
   * What steers the paths of all connections; nothing by default. They follow it while it is there,
   * whatever {@link MaestroConfig#balancer()} they use otherwise.
   */
  public MaestroBuilder controller(PathController value) {
    controller = value;
    return this;
  }

  /**
   * Something that is told of connections and messages, such as metrics, beside what was given
   * before. What one throws does not concern the others.
   */
  public MaestroBuilder observer(MaestroObserver value) {
    observers.add(value);
    return this;
  }

  /**
   * Opens the device and starts its event loops.
   *
   * @throws MaestroException.Unsupported when the provider is unknown, cannot work here, or cannot
   *     encrypt as the settings ask; the message names those that can
   */
  public Maestro create() {
    VerbsProvider chosen = provider == null ? find(config.provider()) : provider;
    chosen
        .unavailable()
        .ifPresent(
            reason -> {
              throw new MaestroException.Unsupported(
                  "provider",
                  "provider %s cannot work here: %s".formatted(chosen.name(), reason),
                  null);
            });
    SSLContext tls = config.security().tls();
    if (tls != null && !chosen.encrypts()) {
      throw new MaestroException.Unsupported(
          "tls",
          "provider %s cannot encrypt; use iwarp, or protect its network by other means and leave TLS out"
              .formatted(chosen.name()),
          null);
    }
    try {
      DeviceOptions options = new DeviceOptions(config.loops(), config.checksum(), false, tls);
      PathPlanner routes = planner == null ? Planners.of(config, chosen) : planner;
      Endpoint.Policies policies = new Endpoint.Policies(routes, breakers, controller, observers);
      Endpoint endpoint =
          new Endpoint(chosen.open(options), config, policies, delivery, defaultName());
      Maestro maestro = new Maestro(endpoint, config, chosen.name());
      endpoint.started(maestro);
      return maestro;
    } catch (VerbsException failure) {
      throw new MaestroException.Unsupported(
          "provider",
          "provider %s cannot open its device: %s".formatted(chosen.name(), failure.getMessage()),
          failure);
    }
  }

  private static VerbsProvider find(String name) {
    Map<String, VerbsProvider> providers = VerbsProvider.installed();
    VerbsProvider provider = providers.get(name);
    if (provider == null) {
      throw new MaestroException.Unsupported(
          "provider",
          "there is no provider named '%s'; there are: %s"
              .formatted(name, String.join(", ", providers.keySet())),
          null);
    }
    return provider;
  }

  /** What peers see in their messages: the process, as {@code pid@host}, at most 64 bytes. */
  private static String defaultName() {
    String name = ManagementFactory.getRuntimeMXBean().getName();
    return name.chars().allMatch(c -> c < 128)
        ? name.substring(0, Math.min(64, name.length()))
        : "";
  }
}
