package io.maestro.verbs.ffi.rdma;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An RDMA device of this machine.
 *
 * @param name its name, such as {@code mlx5_0}
 * @param firmware the version that it reports; empty when it could not be opened
 * @param ports its ports; none when it could not be opened
 * @param problem why it could not be opened or asked; null when it could
 */
public record RdmaDevice(
    String name, String firmware, List<RdmaPort> ports, @Nullable RdmaCallException problem) {

  /** Copies the list. */
  public RdmaDevice {
    ports = List.copyOf(ports);
  }
}
