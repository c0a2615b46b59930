package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.maestro.api.Message;
import io.maestro.api.PathEvent;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import io.maestro.verbs.sim.LinkOptions;
import io.maestro.verbs.sim.SimFabric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How fast others take over from a path, and how fast it is back, with the default settings. */
class FailbackTest {
  private static final long MS = 1_000_000;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int MESSAGE_BYTES = 10_000_000;

  /** 200 Mbit/s, 100 µs of round trip. */
  private static final LinkOptions LINK =
      LinkOptions.defaults().withBytesPerSecond(25_000_000).withDelay(Duration.ofNanos(50_000));

  /** How a link fails. */
  enum Fault {
    SILENT {
      @Override
      void set(SimRig rig, boolean failed) {
        rig.blackHole(1, failed);
      }
    },
    DOWN {
      @Override
      void set(SimRig rig, boolean failed) {
        rig.wire(1, failed ? Rig.Wire.BROKEN : Rig.Wire.GOOD);
      }
    };

    abstract void set(SimRig rig, boolean failed);
  }

  private final SimRig rig = new SimRig(LINK, SimFabric.builder().seed(17));
  private final List<PathEvent> events = new ArrayList<>();
  private Pair pair;

  @AfterEach
  void close() {
    rig.close();
  }

  /** Four paths, over which messages go without a pause. */
  private void open() {
    pair = new Pair(rig, ConnectionContract.DEFAULTS);
    pair.client.pathEvents().subscribe(events::add);
    pair.server.receive().subscribe(Message::close, failure -> {});
    Region region = Region.allocate(MESSAGE_BYTES);
    for (int sender = 0; sender < 3; sender++) {
      sendForEver(region);
    }
    rig.fabric.runFor(SECOND);
  }

  private void sendForEver(Region region) {
    pair.client.send(region).subscribe(null, failure -> {}, () -> sendForEver(region));
  }

  private <T extends PathEvent> List<T> events(Class<T> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private PathReport path() {
    return pair.client.paths().get(1);
  }

  private long acked() {
    return pair.client.paths().stream().mapToLong(PathReport::ackedBytes).sum();
  }

  private long ackedIn(Duration time) {
    long before = acked();
    rig.fabric.runFor(time);
    return acked() - before;
  }

  @ParameterizedTest
  @EnumSource
  void aFailedLinkIsPassedByWithinFiftyMillisecondsAndWithoutAGap(Fault fault) {
    open();
    fault.set(rig, true);
    long startNs = rig.fabric.nanoTime();
    long slowest = Long.MAX_VALUE;
    for (int look = 0; look < 25; look++) {
      slowest = Math.min(slowest, ackedIn(Duration.ofMillis(40)));
    }
    List<PathEvent.Down> downs = events(PathEvent.Down.class);
    assertThat(downs).hasSize(1);
    assertThat(downs.getFirst().atNs() - startNs).isBetween(30 * MS, 50 * MS);
    assertThat(slowest).as("of 3 MB in 40 ms").isGreaterThan(3_000_000 * 8 / 10);
  }

  @ParameterizedTest
  @EnumSource
  void aRepairedLinkHasItsOldShareWithinTwoSecondsAndTheConnectionItsOldThroughput(Fault fault) {
    open();
    long pathBefore = path().ackedBytes();
    long before = ackedIn(SECOND);
    double shareBefore = (double) (path().ackedBytes() - pathBefore) / before;
    fault.set(rig, true);
    rig.fabric.runFor(Duration.ofSeconds(10));
    assertThat(path().state()).isNotEqualTo(PathReport.State.UP);
    fault.set(rig, false);
    rig.fabric.runFor(Duration.ofSeconds(2));
    assertThat(path().state()).isEqualTo(PathReport.State.UP);
    assertThat(path().health().generation()).isPositive();
    pathBefore = path().ackedBytes();
    long after = ackedIn(SECOND);
    double shareAfter = (double) (path().ackedBytes() - pathBefore) / after;
    assertThat(shareAfter).isCloseTo(shareBefore, within(0.1 * shareBefore));
    assertThat((double) after).isGreaterThan(0.98 * before);
  }

  @ParameterizedTest
  @EnumSource
  void aLinkThatStaysAwayIsTriedAboutOnceASecond(Fault fault) {
    open();
    fault.set(rig, true);
    rig.fabric.runFor(Duration.ofMinutes(1));
    assertThat(events(PathEvent.AttemptFailed.class)).hasSizeBetween(30, 120);
    assertThat(events(PathEvent.Down.class)).hasSize(1);
  }

  @Test
  void aPathThatFailsAsSoonAsItIsUpIsTriedLessAndLessOften() {
    open();
    pair.client
        .pathEvents()
        .filter(event -> event instanceof PathEvent.Up && event.path() == 2)
        .subscribe(event -> Faults.losePath(pair.client, 2));
    Faults.losePath(pair.client, 2);
    rig.fabric.runFor(Duration.ofSeconds(20));
    int first = events(PathEvent.Up.class).size();
    rig.fabric.runFor(Duration.ofSeconds(100));
    int all = events(PathEvent.Up.class).size();
    assertThat(first).isBetween(3, 15);
    assertThat(all - first).as("in five times the time").isBetween(3, 15);
    assertThat(ackedIn(SECOND)).isGreaterThan(3 * 25_000_000L * 9 / 10);
  }
}
