package io.maestro.session;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/** Which local alias a path is bound to. */
final class LocalAddresses {
  // macOS configures 127.0.0.1 only; Linux and Windows answer on all of 127.0.0.0/8.
  private static final boolean LOOPBACK_ALIASES =
      !System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("mac");

  private LocalAddresses() {}

  /** The configured aliases in turn; on loopback one of its own for each path; else any. */
  static InetSocketAddress of(int path, List<InetAddress> configured, InetSocketAddress remote) {
    if (!configured.isEmpty()) {
      return new InetSocketAddress(configured.get(path % configured.size()), 0);
    }
    InetAddress address = remote.getAddress();
    if (address instanceof Inet4Address && address.isLoopbackAddress() && LOOPBACK_ALIASES) {
      return new InetSocketAddress(loopback(path), 0);
    }
    return new InetSocketAddress(0);
  }

  private static InetAddress loopback(int path) {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (1 + path)});
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
