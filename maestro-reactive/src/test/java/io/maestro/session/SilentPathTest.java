package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.MaestroConfig;
import io.maestro.api.Message;
import io.maestro.api.PathEvent;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import io.maestro.verbs.sim.LinkOptions;
import io.maestro.verbs.sim.SimFabric;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A silent path is told from a slow peer, from a busy loop and from a long wire. */
class SilentPathTest {
  private static final long MS = 1_000_000;
  private static final Duration LONG = Duration.ofMinutes(2);

  /** 200 Mbit/s, 100 µs of round trip. */
  private static final LinkOptions LINK =
      LinkOptions.defaults().withBytesPerSecond(25_000_000).withDelay(Duration.ofNanos(50_000));

  private final List<PathEvent> events = new ArrayList<>();
  private SimRig rig = new SimRig(LINK, SimFabric.builder());
  private long sentBytes;

  @AfterEach
  void close() {
    rig.close();
  }

  private Pair pair(LinkOptions link, boolean signals, int serverLoops) {
    rig.close();
    rig = new SimRig(link, SimFabric.builder().seed(5).signals(signals));
    Pair pair =
        new Pair(
            rig,
            b -> ConnectionContract.DEFAULTS.apply(b).loops(1),
            b -> ConnectionContract.DEFAULTS.apply(b).loops(serverLoops));
    pair.client.pathEvents().subscribe(events::add);
    pair.server.receive().subscribe(Message::close);
    return pair;
  }

  private void send(Pair pair, int bytes, int times) {
    Region region = Region.allocate(bytes);
    for (int i = 0; i < times; i++) {
      pair.client.send(region).subscribe(null, null, () -> sentBytes += bytes);
    }
    region.release();
  }

  private <T extends PathEvent> List<T> events(Class<T> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private long downAfterNs(int path, long sinceNs) {
    rig.until(() -> !events(PathEvent.Down.class).isEmpty(), LONG);
    PathEvent.Down down = events(PathEvent.Down.class).getFirst();
    assertThat(down.path()).isEqualTo(path);
    return down.atNs() - sinceNs;
  }

  private static long acked(Pair pair) {
    return pair.client.paths().stream().mapToLong(PathReport::ackedBytes).sum();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itIsLostWithinFiftyMillisecondsAndTheOthersGoOnWithoutAGap(boolean signals) {
    Pair pair = pair(LINK, signals, 1);
    send(pair, 100_000_000, 1);
    rig.fabric.runFor(Duration.ofMillis(300));
    rig.blackHole(1, true);
    long startNs = rig.fabric.nanoTime();
    long slowest = Long.MAX_VALUE;
    long before = acked(pair);
    for (int look = 0; look < 15; look++) {
      rig.fabric.runFor(Duration.ofMillis(40));
      slowest = Math.min(slowest, acked(pair) - before);
      before = acked(pair);
    }
    assertThat(downAfterNs(1, startNs)).isBetween(30 * MS, 50 * MS);
    assertThat(slowest).isGreaterThan(3_000_000 * 8 / 10);
    rig.until(() -> sentBytes == 100_000_000, LONG);
    assertThat(events(PathEvent.Down.class)).hasSize(1);
    pair.assertNothingLeased();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void smallMessagesAloneFindItToo(boolean signals) {
    Pair pair = pair(LINK, signals, 1);
    send(pair, 100, 8);
    rig.until(() -> sentBytes == 800, LONG);
    rig.blackHole(0, true);
    long startNs = rig.fabric.nanoTime();
    send(pair, 100, 8);
    assertThat(downAfterNs(0, startNs)).isLessThan(60 * MS);
    rig.until(() -> sentBytes == 1600, Duration.ofMillis(100));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onAnIdleConnectionItIsLostSoonAfterTheFirstPing(boolean signals) {
    Pair pair = pair(LINK, signals, 1);
    rig.fabric.runFor(Duration.ofSeconds(7));
    rig.blackHole(3, true);
    assertThat(downAfterNs(3, rig.fabric.nanoTime())).isLessThan(4_060 * MS);
    assertThat(pair.client.paths()).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStoppedPeerIsNoLossOfItsPathsBeforeKeepAliveSaysSo(boolean signals) {
    Pair pair = pair(LINK, signals, 2);
    send(pair, 50_000_000, 1);
    rig.fabric.runFor(Duration.ofMillis(100));
    pair.serverEnd.device().loops().forEach(loop -> rig.fabric.setFrozen(loop, true));
    rig.fabric.runFor(Duration.ofSeconds(5));
    pair.serverEnd.device().loops().forEach(loop -> rig.fabric.setFrozen(loop, false));
    rig.until(() -> sentBytes == 50_000_000, LONG);
    assertThat(events).isEmpty();
    pair.assertNothingLeased();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void timeInWhichThisSideDidNotRunDoesNotCount(boolean signals) {
    Pair pair = pair(LINK, signals, 2);
    send(pair, 50_000_000, 1);
    for (int pause = 0; pause < 5; pause++) {
      rig.fabric.runFor(Duration.ofMillis(100));
      pair.clientEnd.device().loops().forEach(loop -> rig.fabric.setFrozen(loop, true));
      rig.fabric.runFor(Duration.ofMillis(700));
      pair.clientEnd.device().loops().forEach(loop -> rig.fabric.setFrozen(loop, false));
    }
    rig.until(() -> sentBytes == 50_000_000, LONG);
    assertThat(events).isEmpty();
  }

  @Test
  void aPathWhoseWireAcknowledgesButNotThePeersLoopRestsWhileTheOthersGoOn() {
    Pair pair = pair(LINK, true, 2);
    send(pair, 100_000, 200);
    rig.until(() -> sentBytes >= 5_000_000, Duration.ofSeconds(4));
    rig.fabric.setFrozen(pair.serverEnd.device().loops().getLast(), true);
    rig.until(() -> sentBytes >= 15_000_000, Duration.ofSeconds(4));
    assertThat(events(PathEvent.Suspended.class)).isNotEmpty();
    rig.fabric.setFrozen(pair.serverEnd.device().loops().getLast(), false);
    rig.until(() -> sentBytes == 20_000_000, LONG);
    assertThat(events(PathEvent.Down.class)).isEmpty();
    assertThat(Faults.allUp(pair.client)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLongWireIsGivenThreeRoundTrips(boolean signals) {
    Pair pair = pair(LINK.withDelay(Duration.ofMillis(40)), signals, 1);
    send(pair, 200_000_000, 1);
    rig.fabric.runFor(Duration.ofSeconds(1));
    assertThat(events).isEmpty();
    rig.blackHole(1, true);
    assertThat(downAfterNs(1, rig.fabric.nanoTime())).isBetween(2 * 80 * MS, 4 * 80 * MS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPathOfATenthOfTheRateIsNotLost(boolean signals) {
    Pair pair = pair(LINK, signals, 1);
    rig.fabric.setLink(
        InetAddress.ofLiteral(SimRig.CLIENT + 2),
        InetAddress.ofLiteral(SimRig.SERVER + 2),
        LINK.withBytesPerSecond(2_500_000));
    send(pair, 50_000_000, 2);
    rig.until(() -> sentBytes == 100_000_000, LONG);
    assertThat(events(PathEvent.Down.class)).isEmpty();
  }

  @Test
  void theConfiguredLimitHolds() {
    rig.close();
    rig = new SimRig(LINK, SimFabric.builder().seed(5));
    Duration stall = Duration.ofMillis(500);
    MaestroConfig.Breaker d = MaestroConfig.Breaker.defaults();
    Pair pair =
        new Pair(
            rig,
            b ->
                ConnectionContract.DEFAULTS
                    .apply(b)
                    .breaker(
                        new MaestroConfig.Breaker(
                            stall, d.slow(), d.backoff(), d.maxBackoff(), d.probes())));
    pair.client.pathEvents().subscribe(events::add);
    pair.server.receive().subscribe(Message::close);
    send(pair, 100_000_000, 1);
    rig.fabric.runFor(Duration.ofMillis(300));
    rig.blackHole(1, true);
    assertThat(downAfterNs(1, rig.fabric.nanoTime())).isBetween(300 * MS, 500 * MS);
  }
}
