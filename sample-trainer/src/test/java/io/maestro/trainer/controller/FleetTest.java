package io.maestro.trainer.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.ControlReport;
import io.maestro.api.PathDirective;
import io.maestro.api.PathHealth;
import io.maestro.api.PathReport;
import io.maestro.api.RouteReport;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FleetTest {
  private static final List<PathDirective> ORDERS =
      List.of(new PathDirective.Weights(Map.of(0, 1.0)));

  private final Set<String> planned = new TreeSet<>();
  private long nowNs;
  private final Fleet fleet = new Fleet(this::plan, () -> nowNs);

  private Map<String, List<PathDirective>> plan(Map<String, List<PathReport>> connections) {
    planned.clear();
    planned.addAll(connections.keySet());
    Map<String, List<PathDirective>> all = new HashMap<>();
    connections.keySet().forEach(id -> all.put(id, ORDERS));
    return all;
  }

  private void pass(Duration time) {
    nowNs += time.toNanos();
  }

  private static ControlReport report(long ackedBytes) {
    InetSocketAddress nowhere = InetSocketAddress.createUnresolved("unknown", 0);
    PathHealth health =
        new PathHealth(PathHealth.Breaker.CLOSED, 0, 0, true, Optional.empty(), Optional.empty());
    return new ControlReport(
        "peer",
        true,
        List.of(
            new PathReport(
                0,
                nowhere,
                nowhere,
                PathReport.State.UP,
                1,
                0,
                0,
                0,
                0,
                ackedBytes,
                0,
                0,
                0,
                RouteReport.unknown(""),
                health)),
        List.of());
  }

  @Test
  void aConnectionThatIsSilentIsForgotten() {
    fleet.report("a", report(1));
    fleet.plan();
    assertThat(fleet.orders("a")).isEqualTo(ORDERS);
    pass(Fleet.SILENCE.plusMillis(1));
    fleet.plan();
    assertThat(fleet.orders("a")).isEmpty();
    assertThat(fleet.size()).isZero();
  }

  @Test
  void anIdleConnectionKeepsItsOrdersAndTakesNoPart() {
    for (int second = 0; second < 10; second++) {
      fleet.report("busy", report(second));
      fleet.report("idle", report(7));
      pass(Duration.ofSeconds(1));
    }
    fleet.plan();
    assertThat(planned).containsExactly("busy");
    fleet.report("idle", report(8));
    fleet.plan();
    assertThat(planned).containsExactly("busy", "idle");
    for (int second = 0; second < 10; second++) {
      fleet.report("idle", report(8));
      pass(Duration.ofSeconds(1));
    }
    fleet.plan();
    assertThat(planned).isEmpty();
    assertThat(fleet.orders("idle")).isEqualTo(ORDERS);
  }

  @Test
  void thereIsALimitToHowManyItTakes() {
    for (int id = 0; id < Fleet.MOST; id++) {
      assertThat(fleet.report("c" + id, report(1))).isTrue();
    }
    assertThat(fleet.report("one more", report(1))).isFalse();
    assertThat(fleet.report("c0", report(2))).isTrue();
  }
}
