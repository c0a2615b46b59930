package io.maestro.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.path.FiveTuple;
import io.maestro.path.Topology;
import io.maestro.path.TopologyJson;
import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.FabricCounters;
import io.maestro.testing.fabric.NodeProcess;
import io.maestro.testing.fabric.WithFabric;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A switch of a real fabric hashes anew, without any loss, while a connection is in use. */
@WithFabric
class RouteReviewIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int PORT = 4713;
  private static final int PATHS = 4;
  private static final String FROM = " from ";

  private final Fabric fabric;

  RouteReviewIT(Fabric fabric) {
    this.fabric = fabric;
  }

  private String aliases(int host) {
    return IntStream.rangeClosed(1, PATHS)
        .mapToObj(alias -> fabric.address(host, alias).getHostAddress())
        .collect(Collectors.joining(","));
  }

  private static FiveTuple tuple(String ends) {
    List<String> parts = Pattern.compile("[:/]+").splitAsStream(ends).toList();
    return new FiveTuple(
        InetAddress.ofLiteral(parts.get(0)),
        Integer.parseInt(parts.get(1)),
        InetAddress.ofLiteral(parts.get(2)),
        Integer.parseInt(parts.get(3)),
        FiveTuple.TCP);
  }

  /** What is behind {@code from} in a line of {@link RouteWatcher}. */
  private static List<String> ends(String line) {
    String all = line.substring(line.indexOf(FROM) + FROM.length());
    return Pattern.compile(" ").splitAsStream(all).toList();
  }

  private static long stayed(List<String> before, String line) {
    return ends(line).stream().filter(before::contains).count();
  }

  private Topology hashing(int seed) {
    return TopologyJson.parse(fabric.topology().replace("\"seed\":1}", "\"seed\":" + seed + "}"));
  }

  /** A seed with which these paths meet on the way. */
  private int collidingSeed(List<FiveTuple> paths) {
    return IntStream.range(2, 100)
        .filter(
            seed -> {
              Topology topology = hashing(seed);
              return paths.stream().map(path -> topology.predict(path).route()).distinct().count()
                  == 2;
            })
        .findFirst()
        .orElseThrow();
  }

  private void hashSeed(int seed) throws InterruptedException {
    String file = "/proc/sys/net/ipv4/fib_multipath_hash_seed";
    fabric.exec("leaf1", "sh", "-c", "echo " + seed + " >" + file);
  }

  @AfterEach
  void restore() throws InterruptedException {
    hashSeed(1);
  }

  @Test
  void pathsThatTheNetworkBringsTogetherMoveApartAgain() throws Exception {
    try (NodeProcess receiver =
            fabric.startJava("host2", RoutePeer.class, "receive", PORT, aliases(2));
        NodeProcess sender =
            fabric.startJava("host1", RouteWatcher.class, 20, PORT, aliases(1), aliases(2))) {
      receiver.awaitLine("listening", LIMIT);
      String before = sender.awaitLine("up 4 spines 4 .*", LIMIT);
      List<String> ends = ends(before);
      int seed = collidingSeed(ends.stream().map(RouteReviewIT::tuple).toList());
      hashSeed(seed);
      sender.awaitLine(
          "of four paths on four spines of which two have stayed",
          line -> line.startsWith("up 4 spines 4 ") && stayed(ends, line) == 2,
          LIMIT);
      FabricCounters counters = fabric.counters();
      sender.awaitSuccess(LIMIT);
      Map<String, Long> bytes = fabric.counters().bytesFrom("leaf1", counters);
      assertThat(bytes.values()).as("%s", bytes).hasSize(4).allMatch(carried -> carried > 1 << 20);
    }
  }
}
