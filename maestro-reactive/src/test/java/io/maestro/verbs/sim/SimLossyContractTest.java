package io.maestro.verbs.sim;

import io.maestro.verbs.VerbsContractTest;
import io.maestro.verbs.VerbsProvider;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The simulated provider keeps the contract on a link that loses and reorders, in small packets.
 */
class SimLossyContractTest extends VerbsContractTest {
  private static final LinkOptions BAD =
      LinkOptions.defaults().withLoss(0.02).withReordering(Duration.ofNanos(20_000), 0.1);

  private final SimFabric fabric =
      SimFabric.builder().seed(7).unitBytes(4096).link("fd00::1", "fd00::2", BAD).build();

  @Override
  public VerbsProvider provider() {
    return fabric.provider();
  }

  @Override
  public InetAddress address(int index) {
    return InetAddress.ofLiteral("fd00::" + (index + 1));
  }

  @Override
  public void await(BooleanSupplier condition, Duration deadline) {
    fabric.runUntil(condition, deadline);
  }
}
