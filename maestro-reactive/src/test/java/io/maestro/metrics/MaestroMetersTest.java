package io.maestro.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.Maestro;
import io.maestro.api.Connection;
import io.maestro.api.Region;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the meters say of connections in virtual time. */
class MaestroMetersTest {
  private static final int LARGE = 4 << 20;

  private final SimPeers peers = new SimPeers();
  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

  @AfterEach
  void close() {
    peers.close();
  }

  private Maestro client() {
    return peers.maestro(new MaestroMeters(registry));
  }

  private double sum(MaestroMeter meter, String... tags) {
    clock.add(Duration.ofSeconds(1));
    return registry.find(meter.id()).tags(tags).meters().stream()
        .mapToDouble(each -> each.measure().iterator().next().getValue())
        .sum();
  }

  @Test
  void countersOfPathsAddUpToWhatWasSent() {
    Connection connection = peers.connect(client());
    peers.send(connection, LARGE);
    assertThat(sum(MaestroMeter.PATH_BYTES)).isEqualTo(LARGE);
    assertThat(sum(MaestroMeter.PATH_CHUNKS)).isEqualTo(Math.ceilDiv(LARGE, 51_200));
    assertThat(sum(MaestroMeter.PATH_WEIGHT)).isEqualTo(1);
    assertThat(sum(MaestroMeter.PATH_STATE, "state", "up")).isEqualTo(2);
    assertThat(sum(MaestroMeter.PATH_STATE)).isEqualTo(2);
    assertThat(sum(MaestroMeter.PATH_WINDOW)).isPositive();
    assertThat(sum(MaestroMeter.PATH_RTT)).isPositive().isLessThan(1);
    assertThat(sum(MaestroMeter.PATH_INFLIGHT)).isZero();
    assertThat(sum(MaestroMeter.RING_DEPTH)).isZero();
    assertThat(sum(MaestroMeter.SESSION_CREDITS)).isPositive();
  }

  @Test
  void aLossIsCountedAndTheStateFollows() {
    Connection connection = peers.connect(client());
    peers.send(connection, LARGE);
    peers.wire(false);
    peers.until(() -> sum(MaestroMeter.PATH_STATE, "state", "up") == 1);
    peers.until(() -> sum(MaestroMeter.PATH_FAILOVERS, "path", "0") == 1);
    assertThat(sum(MaestroMeter.PATH_FAILOVERS, "path", "1")).isZero();
    peers.wire(true);
    peers.until(() -> sum(MaestroMeter.PATH_STATE, "state", "up") == 2);
  }

  @Test
  void countersOnlyGrowWhenConnectionsEndAndOthersFollow() {
    Maestro client = client();
    Connection first = peers.connect(client);
    Connection second = peers.connect(client);
    peers.send(first, LARGE);
    peers.send(second, LARGE);
    assertThat(sum(MaestroMeter.SESSION_OPEN)).isEqualTo(2);
    assertThat(sum(MaestroMeter.PATH_WEIGHT)).as("mean of both").isEqualTo(1);
    peers.one(first.close());
    assertThat(sum(MaestroMeter.PATH_BYTES)).isEqualTo(2 * LARGE);
    peers.one(second.close());
    assertThat(sum(MaestroMeter.PATH_BYTES)).isEqualTo(2 * LARGE);
    assertThat(sum(MaestroMeter.PATH_STATE)).isZero();
    assertThat(sum(MaestroMeter.SESSION_OPEN)).isZero();
    assertThat(sum(MaestroMeter.SESSION_CLOSED, "outcome", "done")).isEqualTo(2);
    peers.send(peers.connect(client), LARGE);
    assertThat(sum(MaestroMeter.PATH_BYTES)).isEqualTo(3 * LARGE);
  }

  @Test
  void messagesAreTimedByDirectionAndOutcome() {
    Connection connection = peers.connect(client());
    var cancelled = connection.send(Region.allocate(LARGE)).subscribe();
    assertThat(sum(MaestroMeter.MESSAGE_ACTIVE, "direction", "sent")).isEqualTo(1);
    cancelled.dispose();
    peers.send(connection, 100);
    peers.until(() -> sum(MaestroMeter.MESSAGE_ACTIVE) == 0);
    assertThat(timed("sent", "done")).isEqualTo(1);
    assertThat(timed("sent", "cancelled")).isEqualTo(1);
    assertThat(timed("received", "done")).isZero();
    assertThat(registry.get("maestro.message.bytes").tags("outcome", "done").summaries())
        .anyMatch(each -> each.totalAmount() == 100);
    assertThat(registry.get("maestro.message.duration").timer().takeSnapshot().histogramCounts())
        .hasSizeGreaterThan(15);
  }

  private long timed(String direction, String outcome) {
    return registry
        .get("maestro.message.duration")
        .tags("direction", direction, "outcome", outcome)
        .timer()
        .count();
  }

  @Test
  void peersAndPathsBeyondTheLimitAreCountedTogether() {
    MeterOptions options =
        MeterOptions.defaults().withLimits(1, 1).withPeerTag(peer -> "peer " + names++);
    Maestro client = peers.maestro(new MaestroMeters(registry, options));
    for (int count = 0; count < 3; count++) {
      peers.send(peers.connect(client), LARGE);
    }
    assertThat(values("peer")).containsExactly("other", "peer 0");
    assertThat(values("path")).containsExactly("0", "other");
    assertThat(sum(MaestroMeter.PATH_BYTES)).isEqualTo(3 * LARGE);
    assertThat(sum(MaestroMeter.SESSION_OPEN, "peer", "other")).isEqualTo(2);
  }

  private int names;

  @Test
  void aPeerThatHasGoneGivesItsPlaceToTheNext() {
    MeterOptions options =
        MeterOptions.defaults().withLimits(1, 4).withPeerTag(peer -> "peer " + names++);
    Maestro client = peers.maestro(new MaestroMeters(registry, options));
    peers.one(peers.connect(client).close());
    assertThat(values("peer")).containsExactly("peer 0");
    peers.connect(client);
    assertThat(values("peer")).containsExactly("peer 1");
  }

  private Set<String> values(String key) {
    return registry.getMeters().stream()
        .map(meter -> meter.getId().getTag(key))
        .filter(value -> value != null)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void nothingIsLeftInTheRegistryAfterTheEnd() {
    Maestro client = client();
    peers.send(peers.connect(client), LARGE);
    assertThat(registry.getMeters()).isNotEmpty();
    client.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void metersSurviveGarbageCollection() {
    Connection connection = peers.connect(client());
    peers.send(connection, LARGE);
    System.gc();
    assertThat(sum(MaestroMeter.PATH_BYTES)).isEqualTo(LARGE);
    assertThat(sum(MaestroMeter.MEMORY_LIMIT)).isPositive();
  }

  /** A meter whose tags differ from one place to another is refused by Prometheus. */
  @Test
  void theRegistryHasTheMetersOfTheCatalogueWithTheirTags() {
    Map<String, List<String>> expected = new HashMap<>();
    Arrays.stream(MaestroMeter.values())
        .forEach(meter -> expected.put(meter.id(), meter.tags().stream().sorted().toList()));
    peers.send(peers.connect(client()), 4 * LARGE);
    sum(MaestroMeter.PATH_BYTES);
    Map<String, List<String>> found = new HashMap<>();
    for (Meter meter : registry.getMeters()) {
      if (meter.getId().getName().endsWith(".histogram")) {
        continue; // of this kind of registry only
      }
      List<String> keys = meter.getId().getTags().stream().map(Tag::getKey).sorted().toList();
      assertThat(found.getOrDefault(meter.getId().getName(), keys)).isEqualTo(keys);
      found.put(meter.getId().getName(), keys);
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void whatTheProviderCannotKnowIsAbsentAndNotZero() {
    try (SimPeers blind = new SimPeers(false)) {
      blind.send(blind.connect(blind.maestro(new MaestroMeters(registry))), 4 * LARGE);
      assertThat(sum(MaestroMeter.PATH_BYTES)).isEqualTo(4 * LARGE);
      assertThat(registry.find(MaestroMeter.PATH_CNP.id()).meters()).isEmpty();
    }
  }

  @Test
  void twoInstancesNeedTwoOfThem() {
    MaestroMeters meters = new MaestroMeters(registry);
    Maestro maestro = peers.maestro(meters);
    assertThatThrownBy(() -> meters.started(maestro)).hasMessageContaining("its own");
  }
}
