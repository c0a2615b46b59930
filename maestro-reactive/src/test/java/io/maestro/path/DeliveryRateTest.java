package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DeliveryRateTest {
  private static final int CHUNK = 50 * 1024;
  private static final long RTT_NS = 200_000;

  private final DeliveryRate rate = new DeliveryRate();
  private final ArrayDeque<Long> inFlight = new ArrayDeque<>();
  private long nowNs = -1_000_000;
  private long freeAtNs = nowNs;

  /** Keeps {@code window} chunks in flight on a path of that rate until {@code count} are acked. */
  private void run(long bytesPerSecond, int window, int batch, int count) {
    ArrayDeque<Long> ackAtNs = new ArrayDeque<>();
    for (int acked = 0; acked < count; acked += batch) {
      while (inFlight.size() < window) {
        freeAtNs = Math.max(freeAtNs, nowNs) + CHUNK * 1_000_000_000L / bytesPerSecond;
        ackAtNs.add(freeAtNs + RTT_NS);
        inFlight.add(nowNs);
        rate.onSent(CHUNK, nowNs);
      }
      for (int i = 1; i < batch; i++) {
        ackAtNs.poll();
      }
      nowNs = ackAtNs.remove();
      for (int i = 0; i < batch; i++) {
        rate.onAcked(CHUNK, inFlight.remove(), nowNs);
      }
    }
    while (!inFlight.isEmpty()) {
      nowNs = Math.max(nowNs, ackAtNs.remove());
      rate.onAcked(CHUNK, inFlight.remove(), nowNs);
    }
  }

  @Test
  void aBusyPathIsMeasuredExactlyHoweverItsAcknowledgementsAreBatched() {
    for (int batch : new int[] {1, 2, 8}) {
      DeliveryRateTest path = new DeliveryRateTest();
      path.run(1_000_000_000, 32, batch, 1600);
      assertThat((double) path.rate.bytesPerSecond()).isCloseTo(1e9, within(0.02e9));
    }
  }

  @Test
  void nothingIsKnownBeforeTheFirstAcknowledgements() {
    assertThat(rate.bytesPerSecond() + rate.rttNs() + rate.minRttNs() + rate.silenceNs()).isZero();
  }

  @Test
  void aPathThatAlwaysRunsEmptyIsKnownToCarryAtLeastWhatItDid() {
    run(1_000_000_000, 1, 1, 1000);
    long roundTripNs = RTT_NS + CHUNK;
    assertThat((double) rate.bytesPerSecond())
        .isCloseTo(CHUNK * 1e9 / roundTripNs, within(0.02 * CHUNK * 1e9 / roundTripNs));
    assertThat(rate.minRttNs()).isEqualTo(roundTripNs);
    assertThat(rate.inFlightBytes()).isZero();
  }

  @Test
  void theLongestSilenceIsRememberedForASecondOrTwo() {
    run(1_000_000_000, 8, 1, 100);
    assertThat(rate.silenceNs()).isEqualTo(RTT_NS + CHUNK);
    nowNs += 700_000_000;
    roundTrip(30_000_000);
    assertThat(rate.silenceNs()).isEqualTo(30_000_000);
    nowNs += 900_000_000;
    roundTrip(500_000);
    assertThat(rate.silenceNs()).isEqualTo(30_000_000);
    nowNs += 2_000_000_000;
    roundTrip(500_000);
    assertThat(rate.silenceNs()).isEqualTo(500_000);
  }

  @Test
  void aPathThatIsLittleUsedIsNotTakenForASlowOne() {
    run(1_000_000_000, 32, 1, 1600);
    run(1_000_000_000, 2, 1, 20_000);
    assertThat((double) rate.bytesPerSecond()).isCloseTo(1e9, within(0.02e9));
  }

  @Test
  void aPathThatBecomesSlowerIsMeasuredAsSuch() {
    run(1_000_000_000, 32, 1, 1600);
    run(100_000_000, 32, 1, 800);
    assertThat((double) rate.bytesPerSecond()).isCloseTo(1e8, within(0.03e8));
  }

  @Test
  void idleTimeIsNoSlowness() {
    for (int burst = 0; burst < 20; burst++) {
      run(1_000_000_000, 32, 1, 100);
      nowNs += 50_000_000;
    }
    assertThat((double) rate.bytesPerSecond()).isCloseTo(1e9, within(0.02e9));
  }

  @Test
  void delayedAcknowledgementsThatComeAtOnceDoNotRaiseTheRate() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 2000; i++) {
      rate.onSent(CHUNK, nowNs);
      inFlight.add(nowNs);
      nowNs += CHUNK;
      if (inFlight.size() > 40 && random.nextInt(40) == 0) {
        for (int n = inFlight.size(); n > 8; n--) {
          rate.onAcked(CHUNK, inFlight.remove(), nowNs);
        }
      }
    }
    assertThat(rate.bytesPerSecond()).isBetween(500_000_000L, 1_020_000_000L);
  }

  @Test
  void theShortestRoundTripIsForgottenAfterTenSeconds() {
    run(1_000_000_000, 1, 1, 1);
    long shortest = rate.minRttNs();
    for (int second = 1; second < 9; second++) {
      nowNs += 1_000_000_000L;
      roundTrip(500_000);
      assertThat(rate.minRttNs()).isEqualTo(shortest);
    }
    nowNs += 3_000_000_000L;
    roundTrip(600_000);
    assertThat(rate.minRttNs()).isEqualTo(500_000);
    nowNs += 3_600_000_000_000L;
    roundTrip(900_000);
    assertThat(rate.minRttNs()).isEqualTo(900_000);
  }

  private void roundTrip(long rttNs) {
    rate.onSent(CHUNK, nowNs - rttNs);
    rate.onAcked(CHUNK, nowNs - rttNs, nowNs);
  }

  @Test
  void theSmoothedRoundTripFollowsSlowly() {
    roundTrip(100_000);
    roundTrip(900_000);
    assertThat(rate.rttNs()).isEqualTo(200_000);
  }
}
