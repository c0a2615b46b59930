package io.maestro.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.Connection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Resilience4j's meters of the breakers of paths. */
class BreakerMetersTest {
  private final SimPeers peers = new SimPeers();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @AfterEach
  void close() {
    peers.close();
  }

  private Set<String> names() {
    return registry.find("resilience4j.circuitbreaker.state").gauges().stream()
        .map(gauge -> gauge.getId().getTag("name"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private double open(String name) {
    return registry
        .get("resilience4j.circuitbreaker.state")
        .tags("name", name, "state", "open")
        .gauge()
        .value();
  }

  private static MeterOptions peerIsP(int maxPeers) {
    return MeterOptions.defaults().withLimits(maxPeers, 2).withPeerTag(peer -> "p");
  }

  @Test
  void namesDoNotGrowWithTheNumberOfConnections() {
    BreakerMeters.bind(peers.breakers, registry, peerIsP(4));
    Maestro client = peers.maestro();
    Set<String> before = null;
    for (int count = 0; count < 5; count++) {
      Connection connection = peers.connect(client);
      before = before == null ? names() : before;
      assertThat(names()).isEqualTo(before).contains("p path 0", "p path 1");
      peers.one(connection.close());
      peers.until(() -> peers.breakers.getAllCircuitBreakers().isEmpty());
      assertThat(registry.getMeters()).isEmpty();
    }
  }

  @Test
  void noMoreBreakersHaveMetersThanTheLimitAllows() {
    BreakerMeters.bind(peers.breakers, registry, peerIsP(1));
    Maestro client = peers.maestro();
    peers.connect(client);
    peers.connect(client);
    assertThat(peers.breakers.getAllCircuitBreakers()).hasSizeGreaterThan(2);
    assertThat(names()).hasSize(2);
  }

  @Test
  void theStateIsThatOfThePathsBreaker() {
    BreakerMeters.bind(peers.breakers, registry, peerIsP(4));
    Connection connection = peers.connect(peers.maestro());
    peers.send(connection, 4 << 20);
    assertThat(open("p path 0")).isZero();
    peers.wire(false);
    peers.until(() -> open("p path 0") + open("p path 0 #2") == 2);
    assertThat(open("p path 1")).isZero();
  }

  @Test
  void breakersOfTheApplicationAreLeftToIt() {
    BreakerMeters.bind(peers.breakers, registry, MeterOptions.defaults());
    peers.breakers.circuitBreaker("orders");
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void closingTakesAllMetersAway() {
    BreakerMeters meters = BreakerMeters.bind(peers.breakers, registry, MeterOptions.defaults());
    peers.connect(peers.maestro());
    assertThat(registry.getMeters()).isNotEmpty();
    meters.close();
    peers.connect(peers.maestro());
    assertThat(registry.getMeters()).isEmpty();
  }
}
