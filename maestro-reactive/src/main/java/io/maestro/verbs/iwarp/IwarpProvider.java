package io.maestro.verbs.iwarp;

import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import io.maestro.verbs.VerbsProvider;
import io.maestro.verbs.WireProtocol;
import java.io.IOException;

/** RDMA over TCP (iWARP) in pure Java: works wherever the JDK has sockets, without privileges. */
public final class IwarpProvider implements VerbsProvider {

  /** For {@link java.util.ServiceLoader}. */
  public IwarpProvider() {}

  @Override
  public String name() {
    return "iwarp";
  }

  @Override
  public WireProtocol wire() {
    return WireProtocol.TCP;
  }

  @Override
  public boolean encrypts() {
    return true;
  }

  @Override
  public Device open(DeviceOptions options) {
    try {
      return IwarpDevice.open(options);
    } catch (IOException e) {
      throw new VerbsException(
          Kind.UNAVAILABLE,
          "iwarp: no selector for an event loop: "
              + e.getMessage()
              + "; raise the limit of open files (ulimit -n)",
          e);
    }
  }
}
