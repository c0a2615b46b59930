package io.maestro.session;

import io.maestro.net.VirtualNics;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Which local alias a path is bound to. */
final class LocalAddresses {
  private LocalAddresses() {}

  /** The configured aliases in turn; on loopback one of its own for each path; else any. */
  static InetSocketAddress of(int path, List<InetAddress> configured, InetSocketAddress remote) {
    if (!configured.isEmpty()) {
      return new InetSocketAddress(configured.get(path % configured.size()), 0);
    }
    InetAddress address = remote.getAddress();
    if (address instanceof Inet4Address && address.isLoopbackAddress()) {
      return new InetSocketAddress(VirtualNics.loopback(path + 1).getLast(), 0);
    }
    return new InetSocketAddress(0);
  }
}
