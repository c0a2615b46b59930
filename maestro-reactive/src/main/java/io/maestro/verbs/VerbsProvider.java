package io.maestro.verbs;

import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * A way to do RDMA: the entry point of the provider SPI, found by {@link java.util.ServiceLoader}.
 *
 * <p>Implementations are stateless; all methods may be called from any thread and do not block for
 * longer than it takes to open local resources.
 */
public interface VerbsProvider {

  /**
   * The providers that the service loader finds, by name.
   *
   * @return a copy, in the order of the names
   */
  static Map<String, VerbsProvider> installed() {
    Map<String, VerbsProvider> all = new TreeMap<>();
    ServiceLoader.load(VerbsProvider.class, VerbsProvider.class.getClassLoader())
        .forEach(provider -> all.put(provider.name(), provider));
    return all;
  }

  /** The short, stable name by which configuration selects this provider, such as {@code iwarp}. */
  String name();

  /** Why this provider cannot work on this machine, in one sentence; empty when it can. */
  default Optional<String> unavailable() {
    return Optional.empty();
  }

  /** What its packets look like to the network; none by default. */
  default WireProtocol wire() {
    return WireProtocol.OPAQUE;
  }

  /**
   * Whether its connections can be encrypted ({@link DeviceOptions#tls()}). The wire of an RDMA NIC
   * has no encryption of its own.
   */
  default boolean encrypts() {
    return false;
  }

  /**
   * Opens a device.
   *
   * @return a device that the caller owns and must close
   * @throws VerbsException with {@link VerbsException.Kind#UNAVAILABLE} when the provider cannot
   *     work here
   */
  Device open(DeviceOptions options);
}
