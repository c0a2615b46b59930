package io.maestro.verbs.iwarp;

import io.maestro.testing.Identity;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.VerbsContractTest;
import io.maestro.verbs.VerbsProvider;
import java.net.InetAddress;
import javax.net.ssl.SSLContext;

/** The whole contract over TLS. */
class IwarpWithTlsContractTest extends VerbsContractTest {
  private static final Identity PEER = Identity.of("peer");
  private static final SSLContext TLS = PEER.trusting(PEER);

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
            .open(new DeviceOptions(options.loops(), options.checksum(), options.busySpin(), TLS));
      }
    };
  }

  @Override
  public InetAddress address(int index) {
    return InetAddress.ofLiteral(index == 0 ? "127.0.0.1" : "127.0.0.2");
  }
}
