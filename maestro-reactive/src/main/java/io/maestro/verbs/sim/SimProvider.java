package io.maestro.verbs.sim;

import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.VerbsProvider;

/** A fabric seen as a provider: every device may use every address of the fabric. */
record SimProvider(Driver driver, Network network) implements VerbsProvider {

  @Override
  public String name() {
    return "sim";
  }

  @Override
  public Device open(DeviceOptions options) {
    return new SimDevice(driver, network, options);
  }
}
