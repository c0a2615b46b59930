package io.maestro.trainer.fault;

import io.maestro.verbs.VerbsContractTest;
import io.maestro.verbs.VerbsProvider;
import io.maestro.verbs.iwarp.IwarpProvider;
import java.net.InetAddress;

/** Without a fault it is the provider behind it. */
class FaultyVerbsContractTest extends VerbsContractTest {

  @Override
  public VerbsProvider provider() {
    return new FaultyVerbsProvider(new IwarpProvider(), new FaultBoard());
  }

  @Override
  public InetAddress address(int index) {
    return InetAddress.ofLiteral(index == 0 ? "127.0.0.1" : "127.0.0.2");
  }
}
