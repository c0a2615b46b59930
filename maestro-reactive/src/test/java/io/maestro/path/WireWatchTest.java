package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.path.StallRule.Wire;
import io.maestro.verbs.Signals;
import org.junit.jupiter.api.Test;

class WireWatchTest {
  private static final long MS = 1_000_000;
  private WireWatch wire = new WireWatch(50 * MS);
  private long nowMs = 10_000;
  private long delivered;

  /** A packet is acknowledged, and no other meanwhile: a look every 5 ms for that long. */
  private Wire silence(int forMs, long rttMs) {
    Wire last = Wire.UNKNOWN;
    delivered++;
    for (int ms = 0; ms <= forMs; ms += 5) {
      last = look(new Signals(delivered, 0, 0, rttMs * MS, 0, 3, ms * MS), 5);
    }
    return last;
  }

  private Wire look(Signals signals, int afterMs) {
    nowMs += afterMs;
    return wire.look(signals, nowMs * MS);
  }

  @Test
  void unacknowledgedPacketsAreStuckAfterHalfOfTheLimit() {
    assertThat(silence(20, 1)).isEqualTo(Wire.ALIVE);
    wire = new WireWatch(50 * MS);
    assertThat(silence(25, 1)).isEqualTo(Wire.STUCK);
  }

  @Test
  void theTimeBeforeTheyWereSentDoesNotCount() {
    assertThat(look(new Signals(9, 0, 0, MS, 0, 3, 10_000 * MS), 5)).isEqualTo(Wire.ALIVE);
  }

  @Test
  void aWireThatHasNothingToAcknowledgeIsAlive() {
    assertThat(silence(100, 1)).isEqualTo(Wire.STUCK);
    assertThat(look(new Signals(9, 0, 0, MS, 0, 0, 10_000 * MS), 5)).isEqualTo(Wire.ALIVE);
  }

  @Test
  void whatThePeerSendsIsNoSignOfTheWayThere() {
    Wire last = Wire.UNKNOWN;
    for (int ms = 0; ms <= 25; ms += 5) {
      last = look(new Signals(9, 0, 0, MS, 0, 3, 0), 5);
    }
    assertThat(last).isEqualTo(Wire.STUCK);
  }

  @Test
  void withoutSignalsNothingIsKnown() {
    assertThat(look(Signals.NONE, 5)).isEqualTo(Wire.UNKNOWN);
  }

  @Test
  void aLongWireMayBeSilentForThreeRoundTrips() {
    assertThat(silence(140, 100)).isEqualTo(Wire.ALIVE);
    assertThat(wire.limitNs()).isEqualTo(300 * MS);
    wire = new WireWatch(50 * MS);
    assertThat(silence(150, 100)).isEqualTo(Wire.STUCK);
  }

  @Test
  void aWireThatHasPausedMayPauseAgainUntilThatIsForgotten() {
    silence(40, 1);
    silence(0, 1);
    assertThat(wire.limitNs()).isEqualTo(3 * 40 * MS);
    for (int again = 0; again < 20; again++) {
      silence(0, 1);
    }
    assertThat(wire.limitNs()).isEqualTo(50 * MS);
  }

  @Test
  void aPauseThatHasNotEndedDoesNotExcuseItself() {
    assertThat(silence(400, 1)).isEqualTo(Wire.STUCK);
    assertThat(wire.limitNs()).isEqualTo(50 * MS);
  }
}
