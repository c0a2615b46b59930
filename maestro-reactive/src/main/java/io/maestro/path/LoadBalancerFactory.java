package io.maestro.path;

import io.maestro.api.MaestroException;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Makes the {@link LoadBalancer}s of one strategy. To add a strategy, implement this and name the
 * class in {@code META-INF/services/io.maestro.path.LoadBalancerFactory}.
 */
public interface LoadBalancerFactory {

  /** The name in the configuration. */
  String name();

  /** A new instance, for one connection. Any thread. */
  LoadBalancer create();

  /**
   * The strategy of a name: {@code cnp-weighted}, {@code round-robin}, {@code random}, {@code
   * least-in-flight}, {@code controller-driven}, which without a controller is the first of them,
   * or one that the service loader finds.
   *
   * @throws MaestroException.Unsupported when there is none; the message names those that exist
   */
  static LoadBalancerFactory named(String name) {
    Map<String, LoadBalancerFactory> all = new TreeMap<>();
    for (LoadBalancerFactory builtIn : builtIn()) {
      all.put(builtIn.name(), builtIn);
    }
    ServiceLoader.load(LoadBalancerFactory.class, LoadBalancerFactory.class.getClassLoader())
        .forEach(found -> all.put(found.name(), found));
    LoadBalancerFactory factory = all.get(name);
    if (factory == null) {
      throw new MaestroException.Unsupported(
          "balancer",
          "there is no load balancer named '%s'; there are: %s"
              .formatted(name, String.join(", ", all.keySet())),
          null);
    }
    return factory;
  }

  private static LoadBalancerFactory[] builtIn() {
    return new LoadBalancerFactory[] {
      of("cnp-weighted", CnpWeighted::new),
      of("round-robin", RoundRobin::new),
      of("random", () -> new RandomPath(0)),
      of("least-in-flight", LeastInFlight::new),
      of(ControllerDriven.NAME, CnpWeighted::new)
    };
  }

  /** A factory from its parts. */
  static LoadBalancerFactory of(String name, Supplier<LoadBalancer> maker) {
    return new LoadBalancerFactory() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public LoadBalancer create() {
        return maker.get();
      }
    };
  }
}
