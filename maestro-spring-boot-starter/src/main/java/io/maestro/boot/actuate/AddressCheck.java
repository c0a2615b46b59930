package io.maestro.boot.actuate;

import io.maestro.api.MaestroConfig;
import io.maestro.net.LocalHost;
import io.maestro.net.VirtualNic;
import io.maestro.net.VirtualNics;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Whether there are addresses for the paths. */
final class AddressCheck {
  private AddressCheck() {}

  static List<Finding> look(MaestroConfig config) {
    List<Finding> findings = new ArrayList<>();
    List<VirtualNic> nics = VirtualNics.discover();
    String there =
        nics.isEmpty()
            ? "this machine has no address that reaches others"
            : nics.stream()
                .map(nic -> nic.address().getHostAddress() + " on " + nic.interfaceName())
                .collect(Collectors.joining(", ", "this machine has ", ""));
    findings.add(Finding.info("addresses", there, null));
    config.localAddresses().stream()
        .filter(address -> !address.isLoopbackAddress() && LocalHost.interfaceOf(address).isEmpty())
        .forEach(address -> findings.add(missing(address)));
    findings.add(aliases(config));
    return findings;
  }

  private static Finding missing(InetAddress address) {
    return Finding.warning(
        "addresses",
        "no interface has the local address " + address.getHostAddress(),
        "Add it (ip addr add %s dev <interface>), or take it out of maestro.local-addresses."
            .formatted(address.getHostAddress()));
  }

  private static Finding aliases(MaestroConfig config) {
    int given = config.localAddresses().size();
    if (given >= config.paths()) {
      return Finding.ok("aliases", "each of %d paths has an address".formatted(config.paths()));
    }
    return Finding.info(
        "aliases",
        given == 0
            ? "the system chooses the addresses of paths: they differ in ports only, but on loopback"
            : "%d paths share %d addresses: some differ in ports only"
                .formatted(config.paths(), given),
        "List an address for each path in maestro.local-addresses where the fabric hashes addresses"
            + " only, or where the paths are to leave by several interfaces.");
  }
}
