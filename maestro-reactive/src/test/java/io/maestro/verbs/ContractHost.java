package io.maestro.verbs;

import java.net.InetAddress;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** What a provider supplies to be checked against the contract. */
public interface ContractHost {

  /** How long anything may take before the test fails. */
  Duration DEADLINE = Duration.ofSeconds(20);

  /** The provider under test; the kit opens and closes its devices. */
  VerbsProvider provider();

  /** The {@code index}-th (0 or 1) of two local addresses that reach each other. */
  InetAddress address(int index);

  /** An address that is not local: by default one that is reserved for documentation. */
  default InetAddress unavailableAddress() {
    return InetAddress.ofLiteral("192.0.2.1");
  }

  /** Whether regions of more than 2 GiB can be registered, without touching all their memory. */
  default boolean registersSparseRegionsOver2GiB() {
    return true;
  }

  /**
   * Lets time pass until the condition holds or the deadline is over, whichever is first. By
   * default this waits for what the kit's handlers report; a provider in virtual time overrides it.
   */
  default void await(BooleanSupplier condition, Duration deadline) {
    Pulse.awaitRealTime(condition, deadline);
  }
}
