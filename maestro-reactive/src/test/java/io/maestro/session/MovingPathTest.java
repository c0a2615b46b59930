package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Message;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import io.maestro.api.RouteReport;
import io.maestro.api.Routing;
import io.maestro.net.PathPlan;
import io.maestro.net.PathPlanner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Paths move to the routes that a review finds better, in virtual time. */
class MovingPathTest {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Routing REVIEWED =
      new Routing(Routing.Mode.PROBE, null, Duration.ofSeconds(2), Duration.ofSeconds(5));

  private final SimRig rig = new SimRig(3);
  private final List<Integer> asked = new ArrayList<>();
  private final List<Integer> wanted = new ArrayList<>(List.of(0, 0, 0, 0));

  @AfterEach
  void close() {
    rig.close();
  }

  /** Wants each path to go from its source port, where that is not 0. */
  private final PathPlanner planner =
      new PathPlanner() {
        @Override
        public Mono<List<PathPlan>> plan(Request request) {
          return Mono.just(List.of());
        }

        @Override
        public Mono<PathPlan> replan(Request request, int path, List<PathPlan> current) {
          return Mono.empty();
        }

        @Override
        public Mono<List<PathPlan>> review(Request request, List<PathPlan> current) {
          asked.add(current.size());
          List<PathPlan> best = new ArrayList<>();
          for (int id = 0; id < current.size(); id++) {
            best.add(wanted(current.get(id), wanted.get(id)));
          }
          return Mono.just(best);
        }
      };

  private static PathPlan wanted(PathPlan now, int port) {
    InetAddress local = now.local().getAddress();
    return port == 0
        ? now
        : new PathPlan(
            new InetSocketAddress(local, port), now.remote(), RouteReport.unknown("wanted"));
  }

  private Pair pair() {
    return Pair.planned(rig, b -> ConnectionContract.DEFAULTS.apply(b).routing(REVIEWED), planner);
  }

  private List<Integer> ports(Pair pair) {
    return pair.client.paths().stream().map(path -> path.local().getPort()).toList();
  }

  @Test
  void pathsThatAreToMoveDoSoOneAfterTheOtherAndNothingIsLost() {
    Pair pair = pair();
    List<Message> got = new ArrayList<>();
    pair.server.receive().subscribe(got::add);
    List<Integer> before = ports(pair);
    wanted.set(1, 7001);
    wanted.set(3, 7003);
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Region region = Pair.random(8_000_000, i);
      pair.client
          .send(region)
          .doFinally(signal -> region.release())
          .subscribe(null, failure -> sent.add(failure.toString()), () -> sent.add("sent"));
    }
    rig.until(() -> ports(pair).get(1) == 7001 && ports(pair).get(3) == 7003, SOON);
    rig.until(() -> sent.size() == 6 && Faults.allUp(pair.client), SOON);
    assertThat(ports(pair)).containsExactly(before.get(0), 7001, before.get(2), 7003);
    assertThat(pair.client.paths())
        .extracting(path -> path.health().failovers())
        .containsExactly(0L, 1L, 0L, 1L);
    assertThat(sent).containsOnly("sent");
    for (Message message : got) {
      assertThat(Pair.matches(message.data(), message.sequence() - 1)).isTrue();
      message.close();
    }
    pair.assertNothingLeased();
  }

  @Test
  void itLooksNowAndThenAndSoonAfterAPathIsLost() {
    Pair pair = pair();
    rig.until(() -> asked.size() == 2, SOON);
    long first = rig.fabric.nanoTime();
    Faults.losePath(pair.client, 2);
    rig.until(() -> asked.size() == 3, SOON);
    assertThat(rig.fabric.nanoTime() - first).isLessThan(Duration.ofSeconds(2).toNanos());
  }

  @Test
  void aPlannerThatIsNeverContentMovesEachPathOnceInAWhileAtMost() {
    Pair pair = pair();
    int[] port = {7000};
    long startNs = rig.fabric.nanoTime();
    rig.until(
        () -> {
          wanted.set(0, 7000 + port[0]++ % 10_000);
          return asked.size() >= 100;
        },
        Duration.ofMinutes(20));
    long whiles = (rig.fabric.nanoTime() - startNs) / REVIEWED.review().toNanos();
    assertThat(pair.client.paths().getFirst().health().failovers())
        .isPositive()
        .isLessThanOrEqualTo(4 * (whiles + 1));
  }

  @Test
  void aClosedConnectionLooksNoMore() {
    Pair pair = pair();
    rig.one(pair.client.close());
    int before = asked.size();
    rig.fabric.runFor(Duration.ofMinutes(1));
    assertThat(asked).hasSize(before);
  }

  @Test
  void theReportFollows() {
    Pair pair = pair();
    wanted.set(0, 7000);
    rig.until(() -> ports(pair).getFirst() == 7000, SOON);
    rig.until(() -> Faults.allUp(pair.client), SOON);
    assertThat(pair.client.paths())
        .extracting(PathReport::route)
        .first()
        .extracting(RouteReport::reason)
        .isEqualTo("wanted");
  }
}
