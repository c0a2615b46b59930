package io.maestro.verbs.iwarp;

import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.VerbsContractTest;
import io.maestro.verbs.VerbsProvider;
import java.net.InetAddress;

/** The whole contract with CRC32C on every FPDU, over IPv6. */
class IwarpWithChecksumContractTest extends VerbsContractTest {

  @Override
  public VerbsProvider provider() {
    return new VerbsProvider() {
      @Override
      public String name() {
        return "iwarp";
      }

      @Override
      public Device open(DeviceOptions options) {
        return new IwarpProvider()
            .open(new DeviceOptions(options.loops(), true, options.busySpin()));
      }
    };
  }

  @Override
  public InetAddress address(int index) {
    return InetAddress.ofLiteral("::1");
  }

  @Override
  public InetAddress unavailableAddress() {
    return InetAddress.ofLiteral("2001:db8::1");
  }
}
