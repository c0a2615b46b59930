package io.maestro.verbs.sim;

import io.maestro.verbs.VerbsContractTest;
import io.maestro.verbs.VerbsProvider;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** The simulated provider keeps the contract on a clean link. */
class SimContractTest extends VerbsContractTest {
  private final SimFabric fabric =
      SimFabric.builder().seed(1).link("10.0.0.1", "10.0.0.2", LinkOptions.defaults()).build();

  @Override
  public VerbsProvider provider() {
    return fabric.provider();
  }

  @Override
  public InetAddress address(int index) {
    return InetAddress.ofLiteral("10.0.0." + (index + 1));
  }

  @Override
  public void await(BooleanSupplier condition, Duration deadline) {
    fabric.runUntil(condition, deadline);
  }
}
