package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceEstimateTest {
  private static final long MS = 1_000_000;
  private static final long NOW = 1_000_000 * MS;
  private final PaceEstimate pace = new PaceEstimate();

  @Test
  void nothingIsExpectedSoonerThanInAThirdOfASecondBeforeAChunkWasAcknowledged() {
    assertThat(StallRule.limitNs(0, pace.expectedNs(1, NOW))).isBetween(999 * MS, 1_000 * MS);
    pace.onFirst(2 * MS, false);
    assertThat(StallRule.limitNs(0, pace.expectedNs(1, NOW))).isBetween(999 * MS, 1_000 * MS);
    assertThat(pace.expectedNs(0, NOW)).as("for messages").isEqualTo(2 * MS);
    pace.onFirst(7 * MS, true);
    assertThat(pace.expectedNs(1, NOW)).isEqualTo(7 * MS);
  }

  @Test
  void aLongPauseIsForgottenBitByBit() {
    pace.onFirst(MS, true);
    pace.onSign(100 * MS);
    assertThat(pace.expectedNs(1, NOW)).isEqualTo(100 * MS);
    long before = 100 * MS;
    for (int sign = 0; sign < 30; sign++) {
      pace.onSign(2 * MS);
      assertThat(pace.expectedNs(1, NOW)).isLessThan(before);
      before = pace.expectedNs(1, NOW);
    }
    assertThat(before).isLessThan(4 * MS);
  }

  @Test
  void anAcknowledgementOfManyChunksMayTakeLongerThanThoseOfFewBeforeIt() {
    pace.onFirst(20 * MS, true);
    for (int chunk = 0; chunk < 20; chunk++) {
      pace.onSign(20 * MS);
      pace.onChunks(20 * MS, 1);
    }
    assertThat(pace.expectedNs(1, NOW)).isEqualTo(20 * MS);
    assertThat(pace.expectedNs(8, NOW)).isEqualTo(160 * MS);
  }

  @Test
  void whatComesFromThePeerMayHoldItsAcknowledgementsUp() {
    pace.onFirst(MS, true);
    pace.onInbound(NOW);
    pace.onInbound(NOW + 30 * MS);
    assertThat(pace.expectedNs(1, NOW + 50 * MS)).isEqualTo(30 * MS);
    assertThat(pace.expectedNs(1, NOW + 200 * MS)).as("when no more comes").isEqualTo(MS);
  }
}
