package io.maestro.bench.fabric;

import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.FabricOptions;
import io.maestro.testing.fabric.NodeProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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

  /** Whether a program is installed. */
  static boolean has(String program) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** UCX with four NICs as rails, tagged messages, in a fabric of its own where hosts have such. */
  static double ucxRails(FabricOptions options, int mib) throws InterruptedException {
    List<String> ucx = new ArrayList<>(List.of("env", "UCX_TLS=tcp"));
    ucx.add("UCX_NET_DEVICES=nic1,nic2,nic3,nic4");
    ucx.addAll(List.of("UCX_MAX_RNDV_RAILS=4", "UCX_MAX_EAGER_RAILS=4"));
    ucx.addAll(List.of("stdbuf", "-oL", "ucx_perftest", "-p", "" + PORT));
    try (Fabric rails = Fabric.up(options.withMacvlan());
        NodeProcess server = rails.start("host2", ucx.toArray(String[]::new))) {
      server.awaitLine("Waiting for connection", LIMIT);
      ucx.addAll(List.of(rails.address(2, 1).getHostAddress(), "-t", "tag_bw", "-f"));
      ucx.addAll(List.of("-s", "" + ((long) mib << 20), "-n", "3", "-w", "1"));
      List<String> output = rails.exec("host1", ucx.toArray(String[]::new));
      return ucxMbit(output.getLast());
    }
  }

  /** The sixth column: the bandwidth of the whole run, in MiB/s. */
  private static double ucxMbit(String line) {
    return Double.parseDouble(line.strip().split("\\s+", -1)[5]) * 8 * (1 << 20) / 1e6;
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
