package io.maestro.testing.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real session between two hosts of a fabric. */
@WithFabric
class MaestroOverFabricIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int PORT = 4711;
  private static final int PATHS = 4;
  private static final long BYTES = (64L << 20) + 3;

  private final Fabric fabric;

  MaestroOverFabricIT(Fabric fabric) {
    this.fabric = fabric;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMessageOverFourAliasesArrivesAsItWas(boolean six) throws Exception {
    long seed = six ? 6 : 4;
    FabricCounters before = fabric.counters();
    try (NodeProcess receiver =
        fabric.startJava("host2", TransferPeer.class, "receive", PORT, seed, aliases(2, six))) {
      receiver.awaitLine("listening", LIMIT);
      try (NodeProcess sender =
          fabric.startJava(
              "host1",
              TransferPeer.class,
              Stream.of("send", PORT, seed, BYTES, PATHS, aliases(1, six), aliases(2, six))
                  .toArray())) {
        List<String> paths = sender.awaitSuccess(LIMIT);
        assertThat(paths).hasSize(PATHS);
        for (int path = 0; path < PATHS; path++) {
          assertThat(paths.get(path))
              .matches("path .*%d .*%d [1-9][0-9]*".formatted(path + 1, path + 1));
        }
      }
      assertThat(receiver.awaitLine("equal|differs", LIMIT)).isEqualTo("equal " + BYTES);
    }
    long sent =
        fabric.counters().bytesFrom("leaf1", before).values().stream()
            .mapToLong(Long::longValue)
            .sum();
    // More on a machine whose load lets paths look silent: their chunks are sent again.
    assertThat(sent).isGreaterThan(BYTES);
  }

  private String aliases(int host, boolean six) {
    return IntStream.rangeClosed(1, PATHS)
        .mapToObj(alias -> six ? fabric.address6(host, alias) : fabric.address(host, alias))
        .map(InetAddress::getHostAddress)
        .collect(Collectors.joining(","));
  }
}
