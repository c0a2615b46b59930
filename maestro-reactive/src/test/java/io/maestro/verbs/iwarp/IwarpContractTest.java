package io.maestro.verbs.iwarp;

import io.maestro.verbs.VerbsContractTest;
import io.maestro.verbs.VerbsProvider;
import java.net.InetAddress;

class IwarpContractTest extends VerbsContractTest {

  @Override
  public VerbsProvider provider() {
    return new IwarpProvider();
  }

  @Override
  public InetAddress address(int index) {
    return InetAddress.ofLiteral(index == 0 ? "127.0.0.1" : "127.0.0.2");
  }
}
