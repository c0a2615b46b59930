package io.maestro.verbs.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.maestro.verbs.Signals;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulated network behaves as its options say. */
class SimFabricTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final LinkOptions CLEAN = LinkOptions.defaults();
  private static final LinkOptions BAD =
      CLEAN.withLoss(0.02).withReordering(Duration.ofNanos(30_000), 0.1);

  private static SimFabric fabric(long seed, LinkOptions options) {
    return SimFabric.builder().seed(seed).link("10.0.0.1", "10.0.0.2", options).build();
  }

  private static long traceOf(long seed) {
    try (SimPair pair = new SimPair(fabric(seed, BAD), MEBIBYTE)) {
      pair.writeAll(MEBIBYTE, 100);
      return pair.fabric.traceHash();
    }
  }

  @Test
  void theSameSeedGivesTheSameTrace() {
    assertThat(traceOf(42)).isEqualTo(traceOf(42));
  }

  @Test
  void anotherSeedGivesAnotherTrace() {
    assertThat(traceOf(42)).isNotEqualTo(traceOf(43));
  }

  @ParameterizedTest
  @ValueSource(longs = {12_500_000, 125_000_000, 3_125_000_000L, 50_000_000_000L})
  void theThroughputOfALinkIsItsRate(long bytesPerSecond) {
    try (SimPair pair =
        new SimPair(fabric(1, CLEAN.withBytesPerSecond(bytesPerSecond)), MEBIBYTE)) {
      pair.writeAll(MEBIBYTE, 50);
      double seconds = pair.writeAll(MEBIBYTE, 1000) / 1e9;
      double measured = 1000.0 * MEBIBYTE / seconds;
      assertThat(measured / bytesPerSecond).isCloseTo(1, within(0.01));
    }
  }

  @Test
  void aWriteTakesTheDelayBothWays() {
    LinkOptions slow = CLEAN.withDelay(Duration.ofMillis(3));
    try (SimPair pair = new SimPair(fabric(1, slow), MEBIBYTE)) {
      assertThat(pair.writeAll(1, 1)).isBetween(6_000_000L, 6_005_000L);
      assertThat(pair.signals().rttNs()).isBetween(6_000_000L, 6_005_000L);
    }
  }

  @Test
  void jitterDelaysAtMostByItself() {
    LinkOptions jittery = CLEAN.withReordering(Duration.ofMillis(1), 0);
    try (SimPair pair = new SimPair(fabric(3, jittery), MEBIBYTE)) {
      for (int i = 0; i < 50; i++) {
        assertThat(pair.writeAll(1, 1)).isBetween(10_000L, 2_015_000L);
      }
    }
  }

  @Test
  void lossSlowsButDeliversEverything() {
    try (SimPair clean = new SimPair(fabric(5, CLEAN), MEBIBYTE);
        SimPair lossy = new SimPair(fabric(5, CLEAN.withLoss(0.05)), MEBIBYTE)) {
      long cleanNs = clean.writeAll(MEBIBYTE, 200);
      long lossyNs = lossy.writeAll(MEBIBYTE, 200);
      assertThat(lossyNs).isGreaterThan(cleanNs);
      assertThat(lossy.fabric.drops(SimPair.A, SimPair.B)).isPositive();
      assertThat(lossy.signals().retransmits())
          .isGreaterThanOrEqualTo(lossy.fabric.drops(SimPair.A, SimPair.B));
      assertThat(clean.signals().retransmits()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void reorderingAndLossNeverBreakOrderOrBytes(long seed) {
    byte[] bytes = new byte[MEBIBYTE];
    new Random(seed).nextBytes(bytes);
    SimFabric small =
        SimFabric.builder().seed(seed).unitBytes(1500).link("10.0.0.1", "10.0.0.2", BAD).build();
    try (SimPair pair = new SimPair(small, MEBIBYTE)) {
      pair.here.memory().copyFrom(MemorySegment.ofArray(bytes));
      pair.writeAll(MEBIBYTE, 5);
      assertThat(pair.there.memory().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes);
    }
  }

  @Test
  void aFullQueueDropsAndTheWorkIsStillDone() {
    LinkOptions shallow = CLEAN.withQueue(200_000, 200_000);
    try (SimPair pair = new SimPair(fabric(1, shallow), MEBIBYTE)) {
      pair.writeAll(MEBIBYTE, 50);
      assertThat(pair.fabric.drops(SimPair.A, SimPair.B)).isPositive();
    }
  }

  @Test
  void aQueueThatIsDeepEnoughDropsNothing() {
    LinkOptions deep = CLEAN.withQueue(64L << 20, 64L << 20);
    try (SimPair pair = new SimPair(fabric(1, deep), MEBIBYTE)) {
      pair.writeAll(MEBIBYTE, 50);
      assertThat(pair.fabric.drops(SimPair.A, SimPair.B)).isZero();
      assertThat(pair.signals().congestionMarks()).isZero();
    }
  }

  @Test
  void waitingForOnesOwnSlowLinkIsNoReasonToSendAgain() {
    LinkOptions slow = CLEAN.withBytesPerSecond(2_500_000).withQueue(64L << 20, 64L << 20);
    try (SimPair pair = new SimPair(fabric(1, slow), MEBIBYTE)) {
      pair.writeAll(100_000, 50);
      assertThat(pair.signals().retransmits()).isZero();
    }
  }

  @Test
  void packetsAreMarkedOnlyWhenTheQueueIsAboveTheThreshold() {
    LinkOptions marking = CLEAN.withQueue(64L << 20, 500_000);
    try (SimPair pair = new SimPair(fabric(1, marking), MEBIBYTE)) {
      pair.writeAll(400_000, 1);
      pair.writeAll(400_000, 1);
      assertThat(pair.signals().congestionMarks()).isZero();
      pair.writeAll(MEBIBYTE, 100);
      Signals signals = pair.signals();
      assertThat(signals.congestionMarks()).isBetween(1L, signals.deliveredPackets());
    }
  }

  @Test
  void aRateChangesOnCommand() {
    try (SimPair pair = new SimPair(fabric(1, CLEAN), MEBIBYTE)) {
      long fastNs = pair.writeAll(MEBIBYTE, 200);
      LinkOptions tenth = CLEAN.withBytesPerSecond(CLEAN.bytesPerSecond() / 10);
      pair.fabric.setLink(SimPair.A, SimPair.B, tenth);
      double ratio = (double) pair.writeAll(MEBIBYTE, 200) / fastNs;
      assertThat(ratio).isCloseTo(10, within(0.5));
    }
  }

  @Test
  void aBlackHoleEndsAConnectAtItsDeadline() {
    try (SimPair pair = new SimPair(fabric(1, CLEAN), MEBIBYTE)) {
      pair.fabric.setBlackHole(SimPair.A, SimPair.B, true);
      SimPair.End client = new SimPair.End();
      long startNs = pair.fabric.nanoTime();
      pair.connect(SimPair.A, SimPair.B, client, new SimPair.End(), Duration.ofSeconds(2));
      pair.fabric.runUntil(() -> client.closed != null, Duration.ofSeconds(3));
      assertThat(kind(client)).isEqualTo(Kind.TIMED_OUT);
      assertThat(pair.fabric.nanoTime() - startNs).isBetween(2_000_000_000L, 2_001_000_000L);
    }
  }

  @Test
  void aBlackHoleEndsATransferWhenTheRetryLimitIsOver() {
    SimFabric impatient =
        SimFabric.builder()
            .link("10.0.0.1", "10.0.0.2", CLEAN)
            .retryLimit(Duration.ofSeconds(1))
            .build();
    try (SimPair pair = new SimPair(impatient, MEBIBYTE)) {
      pair.fabric.setBlackHole(SimPair.A, SimPair.B, true);
      pair.onLoop(qp -> pair.write(qp, 1, MEBIBYTE));
      pair.fabric.runUntil(() -> pair.active.closed != null, Duration.ofSeconds(2));
      assertThat(kind(pair.active)).isEqualTo(Kind.CONNECTION_LOST);
      assertThat(pair.active.succeeded).isEmpty();
    }
  }

  @Test
  void aShortFlapOnlyCostsTime() {
    try (SimPair pair = new SimPair(fabric(1, CLEAN), MEBIBYTE)) {
      pair.onLoop(qp -> pair.write(qp, 1, MEBIBYTE));
      pair.fabric.runFor(Duration.ofNanos(100_000));
      pair.fabric.setUp(SimPair.A, SimPair.B, false);
      pair.fabric.runFor(Duration.ofMillis(300));
      assertThat(pair.active.succeeded).isEmpty();
      pair.fabric.setUp(SimPair.A, SimPair.B, true);
      pair.fabric.runUntil(() -> !pair.active.succeeded.isEmpty(), Duration.ofSeconds(2));
      assertThat(pair.active.succeeded).containsExactly(1L);
      assertThat(pair.active.closed).isNull();
    }
  }

  @Test
  void connectingOverALinkThatIsDownOrToNoHostIsUnreachable() {
    try (SimPair pair = new SimPair(fabric(1, CLEAN), MEBIBYTE)) {
      pair.fabric.setUp(SimPair.A, SimPair.B, false);
      SimPair.End client = new SimPair.End();
      pair.connect(SimPair.A, SimPair.B, client, new SimPair.End(), Duration.ofSeconds(2));
      pair.fabric.runFor(Duration.ofMillis(1));
      assertThat(kind(client)).isEqualTo(Kind.UNREACHABLE);
    }
  }

  @Test
  void brokenConnectionsAreInErrorAtBothEndsAndNewOnesCanBeMade() {
    try (SimPair pair = new SimPair(fabric(1, CLEAN), MEBIBYTE)) {
      pair.onLoop(qp -> pair.write(qp, 1, MEBIBYTE));
      pair.fabric.runFor(Duration.ofNanos(100_000));
      pair.fabric.breakConnections(SimPair.B, SimPair.A);
      pair.fabric.runFor(Duration.ofMillis(1));
      assertThat(kind(pair.active)).isEqualTo(Kind.CONNECTION_LOST);
      assertThat(kind(pair.passive)).isEqualTo(Kind.CONNECTION_LOST);
      assertThat(pair.active.succeeded).isEmpty();
      SimPair.End client = new SimPair.End();
      pair.connect(SimPair.A, SimPair.B, client, new SimPair.End(), Duration.ofSeconds(2));
      pair.fabric.runFor(Duration.ofMillis(1));
      assertThat(client.closed).isNull();
    }
  }

  @Test
  void whatTasksThrowIsKeptForTheTest() {
    try (SimPair pair = new SimPair(fabric(1, CLEAN), MEBIBYTE)) {
      IllegalStateException thrown = new IllegalStateException("by the test");
      pair.onLoop(
          qp -> {
            throw thrown;
          });
      pair.fabric.runFor(Duration.ofMillis(1));
      assertThat(pair.fabric.thrown()).containsExactly(thrown);
    }
  }

  @Test
  void aLoopCannotDriveItsFabric() {
    try (SimPair pair = new SimPair(fabric(1, CLEAN), MEBIBYTE)) {
      pair.onLoop(
          qp ->
              assertThatThrownBy(() -> pair.fabric.runFor(Duration.ofMillis(1)))
                  .isInstanceOf(IllegalStateException.class));
      pair.fabric.runFor(Duration.ofMillis(1));
      pair.writeAll(1, 1);
    }
  }

  @Test
  void timePassesWhenNothingHappens() {
    SimFabric idle = SimFabric.builder().address(InetAddress.getLoopbackAddress()).build();
    idle.runFor(Duration.ofDays(1));
    assertThat(idle.nanoTime()).isEqualTo(Duration.ofDays(1).toNanos());
  }

  private static Kind kind(SimPair.End end) {
    VerbsException cause = end.closed;
    if (cause == null) {
      throw new AssertionError("not closed");
    }
    return cause.kind();
  }
}
