package io.maestro.net;

import io.maestro.api.MaestroException.AddressSetupFailed;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Stream;

/** Adds aliases, binds to them, says what it sees: run in a network namespace. */
final class AliasUser {
  private AliasUser() {}

  /** INTERFACE close|leave ADDRESS…: whether to close the lease or leave it to the JVM's end. */
  public static void main(String[] arguments) throws Exception {
    List<InetAddress> addresses = Stream.of(arguments).skip(2).map(InetAddress::ofLiteral).toList();
    say("before");
    try {
      AliasLease lease = VirtualNics.add(arguments[0], addresses);
      for (InetAddress address : lease.addresses()) {
        try (ServerSocket socket = new ServerSocket()) {
          socket.bind(new InetSocketAddress(address, 0));
        }
      }
      say("added " + lease.added().size());
      if (arguments[1].equals("close")) {
        lease.close();
        say("closed");
      }
    } catch (AddressSetupFailed failure) {
      System.out.println(failure.reason() + ": " + failure.command());
    }
  }

  private static void say(String when) {
    List<String> addresses =
        VirtualNics.discover().stream()
            .map(nic -> nic.interfaceName() + "=" + nic.address().getHostAddress())
            .toList();
    System.out.println(when + ": " + String.join(" ", addresses));
  }
}
