package io.maestro.testing.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fabric does what the other system tests rely on. */
@WithFabric
class FabricIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int PORT = 41000;

  private final Fabric fabric;

  FabricIT(Fabric fabric) {
    this.fabric = fabric;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sourcePortsSpreadOverAllSpines(boolean six) throws Exception {
    Map<String, Long> bytes = sent(six, PORT, 64, 10);
    long all = bytes.values().stream().mapToLong(Long::longValue).sum();
    assertThat(all).isGreaterThan(64L * 10 * Datagrams.BYTES);
    // Of 64 ports a spine has 16 on average: with fewer than 4, the hash is no hash.
    assertThat(bytes.values()).hasSize(4).allMatch(spine -> spine > all / 16);
  }

  @ParameterizedTest
  @CsvSource({"false, 41000", "false, 41001", "false, 41002", "true, 41003", "true, 41004"})
  void aFlowKeepsToOneSpine(boolean six, int port) throws Exception {
    Map<String, Long> bytes = sent(six, port, 1, 200);
    assertThat(bytes.values()).filteredOn(spine -> spine > 200L * Datagrams.BYTES).hasSize(1);
    assertThat(bytes.values()).filteredOn(spine -> spine > 10L * Datagrams.BYTES).hasSize(1);
  }

  @Test
  void aSilentDropLosesEverythingAndTellsNobody() throws Exception {
    String spine = spineOf(PORT);
    fabric.drop(spine, true);
    try {
      FabricCounters before = fabric.counters();
      assertThat(sent(false, PORT, 1, 100).get(spine)).isGreaterThan(100L * Datagrams.BYTES);
      assertThat(arrived(before)).isLessThan(20);
    } finally {
      fabric.drop(spine, false);
    }
    FabricCounters before = fabric.counters();
    sent(false, PORT, 1, 100);
    assertThat(arrived(before)).isGreaterThanOrEqualTo(100);
  }

  @Test
  void aSpineWithoutCablesIsAvoidedAndComesBackWithItsFlows() throws Exception {
    String spine = spineOf(PORT);
    fabric.link(spine, false);
    try {
      FabricCounters before = fabric.counters();
      assertThat(sent(false, PORT, 1, 100).get(spine)).isZero();
      assertThat(arrived(before)).isGreaterThanOrEqualTo(100);
    } finally {
      fabric.link(spine, true);
    }
    assertThat(spineOf(PORT)).isEqualTo(spine);
    assertThat(sent(true, PORT, 64, 10).get(spine)).isGreaterThan(10L * Datagrams.BYTES);
  }

  @Test
  void aFarCableThatIsOutIsABlackHole() throws Exception {
    String spine = spineOf(PORT);
    fabric.link("leaf2-" + spine, false);
    try {
      FabricCounters before = fabric.counters();
      assertThat(sent(false, PORT, 1, 100).get(spine)).isGreaterThan(100L * Datagrams.BYTES);
      assertThat(arrived(before)).isLessThan(20);
    } finally {
      fabric.link("leaf2-" + spine, true);
    }
  }

  @Test
  void lossLosesItsShare() throws Exception {
    String spine = spineOf(PORT);
    fabric.loss("leaf1-" + spine, 50);
    try {
      FabricCounters before = fabric.counters();
      sent(false, PORT, 1, 400);
      assertThat(arrived(before)).isBetween(100L, 300L);
    } finally {
      fabric.loss("leaf1-" + spine, 0);
    }
  }

  @Test
  void aFabricThatIsClosedLeavesNoNamespaceAndNoProcess() throws Exception {
    FabricOptions small = FabricOptions.DEFAULT.withNodes(2, 2, 1);
    NodeProcess sleeper;
    String name;
    try (Fabric other = Fabric.up(small)) {
      name = other.name();
      assertThat(namespaces()).anyMatch(namespace -> namespace.startsWith(name));
      sleeper = other.start("host1", "sleep", "1000");
    }
    assertThat(sleeper.process().onExit().get()).isNotNull();
    assertThat(namespaces()).noneMatch(namespace -> namespace.startsWith(name));
    assertThat(namespaces()).anyMatch(namespace -> namespace.startsWith(fabric.name()));
  }

  @Test
  void cleanRemovesWhatADeadOwnerLeftAndNothingElse() throws Exception {
    // The shell owns it, and ends.
    String up = Fabric.command() + " up --spines 1; true";
    String name;
    try (NodeProcess owner = NodeProcess.start(List.of("sh", "-c", up))) {
      name = owner.awaitSuccess(LIMIT).getLast();
    }
    Fabric.clean();
    assertThat(namespaces()).noneMatch(namespace -> namespace.startsWith(name));
    assertThat(namespaces()).anyMatch(namespace -> namespace.startsWith(fabric.name()));
  }

  @Test
  void aCommandThatCannotBeDoneSaysWhy() {
    assertThatThrownBy(() -> fabric.rate("leaf1-spine9", 10))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("no link leaf1-spine9");
  }

  private String spineOf(int port) throws InterruptedException {
    return sent(false, port, 1, 50).entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .orElseThrow()
        .getKey();
  }

  /** Sends from host1 to host2 and returns how many bytes leaf1 sent to each spine meanwhile. */
  private Map<String, Long> sent(boolean six, int firstPort, int ports, int datagrams)
      throws InterruptedException {
    InetAddress local = six ? fabric.address6(1, 1) : fabric.address(1, 1);
    InetAddress remote = six ? fabric.address6(2, 1) : fabric.address(2, 1);
    FabricCounters before = fabric.counters();
    try (NodeProcess sender =
        fabric.startJava(
            "host1",
            Datagrams.class,
            local.getHostAddress(),
            remote.getHostAddress(),
            firstPort,
            ports,
            datagrams)) {
      sender.awaitSuccess(LIMIT);
    }
    return fabric.counters().bytesFrom("leaf1", before);
  }

  private long arrived(FabricCounters before) {
    return fabric.counters().node("host2").packetsIn() - before.node("host2").packetsIn();
  }

  private static List<String> namespaces() throws Exception {
    try (var entries = Files.list(Path.of("/run/netns"))) {
      return entries.map(entry -> entry.getFileName().toString()).toList();
    }
  }
}
