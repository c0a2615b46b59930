package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.path.StallRule.Verdict;
import io.maestro.path.StallRule.Wire;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StallRuleTest {
  private static final long MS = 1_000_000;
  private static final long LIMIT = 50 * MS;

  @ParameterizedTest
  @CsvSource({
    "10, STUCK, true, NONE",
    "30, STUCK, true, ASK_OTHERS",
    "40, STUCK, false, ASK_OTHERS",
    "900, STUCK, false, ASK_OTHERS",
    "1000, STUCK, false, LOST",
    "40, STUCK, true, LOST",
    "40, UNKNOWN, true, LOST",
    "40, UNKNOWN, false, ASK_OTHERS",
    "5000, UNKNOWN, false, ASK_OTHERS",
    "40, ALIVE, true, SUSPEND",
    "40, ALIVE, false, ASK_OTHERS",
    "5000, ALIVE, true, SUSPEND",
  })
  void aSilentPathIsJudgedByItsWireElseByTheOthers(
      long silentMs, Wire wire, boolean othersMove, Verdict verdict) {
    assertThat(StallRule.judge(silentMs * MS, LIMIT, wire, othersMove)).isEqualTo(verdict);
  }

  @Test
  void theLimitIsThreeRoundTripsWhenThoseAreLonger() {
    assertThat(StallRule.limitNs(LIMIT, 0)).isEqualTo(LIMIT);
    assertThat(StallRule.limitNs(LIMIT, 10 * MS)).isEqualTo(LIMIT);
    assertThat(StallRule.limitNs(LIMIT, 100 * MS)).isEqualTo(300 * MS);
  }

  @Test
  void aPathThatWasLostBeforeGetsMoreTime() {
    assertThat(StallRule.afterFlapsNs(LIMIT, 0)).isEqualTo(LIMIT);
    assertThat(StallRule.afterFlapsNs(LIMIT, 2)).isEqualTo(3 * LIMIT);
  }
}
