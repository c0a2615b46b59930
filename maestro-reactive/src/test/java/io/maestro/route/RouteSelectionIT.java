package io.maestro.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.FabricCounters;
import io.maestro.testing.fabric.NodeProcess;
import io.maestro.testing.fabric.WithFabric;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Connections choose routes on a real fabric. Property {@code maestro.route.starts} sets how many
 * fresh processes {@link #everyFreshStartEndsOnFourSpines} tries.
 */
@WithFabric
class RouteSelectionIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int PORT = 4712;
  private static final int PATHS = 4;
  private static final long BYTES = 32L << 20;
  private static final int CHUNK_BYTES = 50 * 1024;
  private static final int STARTS = Integer.getInteger("maestro.route.starts", 3);

  private final Fabric fabric;

  RouteSelectionIT(Fabric fabric) {
    this.fabric = fabric;
  }

  private NodeProcess receiver(boolean six) throws InterruptedException {
    NodeProcess receiver =
        fabric.startJava("host2", RoutePeer.class, "receive", PORT, aliases(2, six));
    receiver.awaitLine("listening", LIMIT);
    return receiver;
  }

  /** Starts a sender, lets it end, and returns what it said of its paths. */
  private List<String> send(boolean six, Object... more) throws InterruptedException {
    Object[] arguments = {"send", PORT, BYTES, 1, aliases(1, six), aliases(2, six)};
    Object[] all =
        IntStream.range(0, arguments.length + more.length)
            .mapToObj(i -> i < arguments.length ? arguments[i] : more[i - arguments.length])
            .toArray();
    try (NodeProcess sender = fabric.startJava("host1", RoutePeer.class, all)) {
      return sender.awaitSuccess(LIMIT).stream()
          .filter(line -> line.startsWith("path ") && line.contains("predicted="))
          .toList();
    }
  }

  private String aliases(int host, boolean six) {
    return IntStream.rangeClosed(1, PATHS)
        .mapToObj(alias -> six ? fabric.address6(host, alias) : fabric.address(host, alias))
        .map(InetAddress::getHostAddress)
        .collect(Collectors.joining(","));
  }

  /**
   * Each spine has carried data. How much is the balancer's affair; probes and handshakes alone are
   * a few kilobytes.
   */
  private void assertFourSpines(FabricCounters before, Object context) {
    Map<String, Long> bytes = fabric.counters().bytesFrom("leaf1", before);
    assertThat(bytes.values())
        .as("%s: %s", context, bytes)
        .hasSize(4)
        .allMatch(carried -> carried > 2L * CHUNK_BYTES);
  }

  private Path topology(Path folder, String seed) throws Exception {
    String json = fabric.topology();
    assertThat(json).contains("\"seed\":1}");
    return Files.writeString(
        folder.resolve("topology.json"), json.replace("\"seed\":1}", "\"seed\":" + seed + "}"));
  }

  static IntStream starts() {
    return IntStream.rangeClosed(1, STARTS);
  }

  @ParameterizedTest
  @MethodSource("starts")
  void everyFreshStartEndsOnFourSpines(int start) throws Exception {
    try (NodeProcess receiver = receiver(false)) {
      FabricCounters before = fabric.counters();
      List<String> paths = send(false);
      assertThat(paths).hasSize(PATHS).allMatch(line -> line.contains(" PROBED "));
      assertFourSpines(before, "start " + start + " " + paths);
      assertThat(receiver.output()).noneMatch(line -> line.contains("ERROR"));
    }
  }

  @RepeatedTest(2)
  void predictionAndProbeAgreeOnTheFabricsTopology(@TempDir Path folder) throws Exception {
    Path topology = topology(folder, "1");
    try (NodeProcess receiver = receiver(false)) {
      FabricCounters before = fabric.counters();
      List<String> paths = send(false, topology);
      assertThat(paths)
          .hasSize(PATHS)
          .allMatch(
              line ->
                  line.matches(
                      "path . acked=\\d+ AGREED predicted=(leaf1,spine.,leaf2) probed=\\1"
                          + " shared=host1>leaf1,leaf2>host2 because="));
      assertFourSpines(before, paths);
      assertThat(receiver.process().isAlive()).isTrue();
    }
  }

  @Test
  void aTopologyWithTheWrongSeedIsContradictedAndTheProbesDecide(@TempDir Path folder)
      throws Exception {
    Path topology = topology(folder, "7");
    try (NodeProcess receiver = receiver(false)) {
      FabricCounters before = fabric.counters();
      List<String> paths = send(false, topology);
      assertThat(paths).hasSize(PATHS);
      assertThat(paths)
          .anyMatch(
              line ->
                  line.contains(" DISAGREED ")
                      && line.contains("hop 2 was to be spine")
                      && line.contains("the hash, its seed or the links of leaf1"));
      assertFourSpines(before, paths);
      assertThat(receiver.process().isAlive()).isTrue();
    }
  }

  @Test
  void routesAreChosenOverIpv6Too() throws Exception {
    try (NodeProcess receiver = receiver(true)) {
      FabricCounters before = fabric.counters();
      List<String> paths = send(true);
      assertThat(paths).hasSize(PATHS).allMatch(line -> line.contains(" PROBED "));
      assertFourSpines(before, paths);
      assertThat(receiver.process().isAlive()).isTrue();
    }
  }
}
