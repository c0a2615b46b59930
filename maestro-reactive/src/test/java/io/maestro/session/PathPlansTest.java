package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.RouteReport;
import io.maestro.net.PathPlan;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class PathPlansTest {
  private static final InetSocketAddress FIRST = address("10.0.0.1", 1);
  private static final InetSocketAddress SECOND = address("10.0.0.2", 1);
  private static final RouteReport ROUTE =
      new RouteReport(List.of(), List.of("a"), List.of(), RouteReport.Verdict.PROBED, "");

  private final PathPlans plans =
      new PathPlans(
          List.of(InetAddress.ofLiteral("10.1.0.1"), InetAddress.ofLiteral("10.1.0.2")),
          List.of(FIRST, SECOND));

  private static InetSocketAddress address(String ip, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(ip), port);
  }

  private static PathPlan plan(int port, InetSocketAddress remote) {
    return new PathPlan(address("10.1.0.1", port), remote, ROUTE);
  }

  @Test
  void pathsWithoutAPlanTakeAliasesAndRemotesInTurn() {
    assertThat(plans.all(3)).extracting(PathPlan::remote).containsExactly(FIRST, SECOND, FIRST);
    assertThat(plans.all(3))
        .extracting(plan -> plan.local().getAddress().getHostAddress())
        .containsExactly("10.1.0.1", "10.1.0.2", "10.1.0.1");
    assertThat(plans.routeOf(0).verdict()).isEqualTo(RouteReport.Verdict.UNKNOWN);
  }

  @Test
  void aPlannedPathGoesWhereItIsPlannedUntilThePlanIsDropped() {
    plans.planned(List.of(plan(7, SECOND)));
    assertThat(plans.of(0)).isEqualTo(plan(7, SECOND));
    assertThat(plans.routeOf(0)).isEqualTo(ROUTE);
    assertThat(plans.of(1).remote()).isEqualTo(SECOND);
    plans.replace(0, null);
    assertThat(plans.of(0).local().getPort()).isZero();
  }

  @Test
  void theFirstPathTriesEachRemoteOnceInExchangeWithAPathPlannedToIt() {
    plans.planned(List.of(plan(1, SECOND), plan(2, SECOND), plan(3, FIRST)));
    assertThat(plans.tryNextRemote()).isTrue();
    assertThat(plans.all(3)).containsExactly(plan(3, FIRST), plan(2, SECOND), plan(1, SECOND));
    assertThat(plans.tryNextRemote()).isFalse();
  }

  @Test
  void theFirstPathGoesUnplannedToARemoteThatNoPathWasPlannedTo() {
    plans.planned(List.of(plan(1, FIRST)));
    assertThat(plans.tryNextRemote()).isTrue();
    assertThat(plans.of(0).remote()).isEqualTo(SECOND);
    assertThat(plans.isPlanned(0)).isFalse();
  }
}
