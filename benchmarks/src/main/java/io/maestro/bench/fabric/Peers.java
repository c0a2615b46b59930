package io.maestro.bench.fabric;

import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.NodeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Goodput of others between the same hosts, in Mbit/s. */
final class Peers {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int PORT = 5300;

  private final Fabric fabric;
  private final int mib;

  Peers(Fabric fabric, int mib) {
    this.fabric = fabric;
    this.mib = mib;
  }

  /** iperf3 with parallel streams, whose ports are the system's. */
  double iperf(int streams) throws InterruptedException {
    return iperf(List.of(), streams);
  }

  /** MPTCP from each alias of the sender to the first of the receiver. */
  double mptcpAliases() throws InterruptedException {
    endpoints("subflow", false);
    return iperf(List.of("mptcpize", "run"), 1);
  }

  /** MPTCP from each alias of the sender to two of the receiver: up to eight subflows. */
  double mptcpMesh() throws InterruptedException {
    endpoints("fullmesh", true);
    return iperf(List.of("mptcpize", "run"), 1);
  }

  private void endpoints(String flag, boolean second) throws InterruptedException {
    for (String host : List.of("host1", "host2")) {
      fabric.exec(host, "ip", "mptcp", "endpoint", "flush");
      fabric.exec(host, "ip", "mptcp", "limits", "set", "subflows", "7", "add_addr_accepted", "7");
    }
    List<String> flags = flag.equals("fullmesh") ? List.of("subflow", flag) : List.of(flag);
    for (int alias = 2; alias <= fabric.options().aliases(); alias++) {
      add("host1", fabric.address(1, alias).getHostAddress(), flags);
    }
    if (second) {
      add("host2", fabric.address(2, 2).getHostAddress(), List.of("signal"));
    }
  }

  private void add(String host, String address, List<String> flags) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip", "mptcp", "endpoint", "add", address));
    command.addAll(List.of("dev", "eth0"));
    command.addAll(flags);
    fabric.exec(host, command.toArray(String[]::new));
  }

  private double iperf(List<String> wrapper, int streams) throws InterruptedException {
    List<String> serve = new ArrayList<>(wrapper);
    serve.addAll(List.of("iperf3", "-s", "-1", "--forceflush", "-p", "" + PORT));
    List<String> send = new ArrayList<>(wrapper);
    send.addAll(List.of("iperf3", "-J", "-p", "" + PORT, "-P", "" + streams));
    send.addAll(List.of("-n", mib + "M", "-c", fabric.address(2, 1).getHostAddress()));
    try (NodeProcess server = fabric.start("host2", serve.toArray(String[]::new))) {
      server.awaitLine("listening", LIMIT);
      JsonNode report =
          new ObjectMapper()
              .readTree(String.join("\n", fabric.exec("host1", send.toArray(String[]::new))));
      return report.at("/end/sum_received/bits_per_second").asDouble() / 1e6;
    }
  }
}
