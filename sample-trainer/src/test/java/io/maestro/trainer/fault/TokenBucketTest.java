package io.maestro.trainer.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {

  private static final long RATE = 1_000_000;

  @Test
  void whatIsLargerThanAllThatCanBeSavedGoesAndLeavesADebt() {
    var bucket = new TokenBucket(0);

    assertThat(bucket.take(50_000, RATE, 0)).isZero();
    assertThat(bucket.take(1, RATE, 0)).isBetween(50_000_000L, 50_000_002L);
    assertThat(bucket.take(1, RATE, 50_000_001)).isZero();
  }

  @Test
  void aSecondLetsThroughTheRate() {
    var bucket = new TokenBucket(0);
    long sent = 0;
    long nowNs = 0;
    while (nowNs < 1_000_000_000) {
      long waitNs = bucket.take(1_500, RATE, nowNs);
      sent += waitNs == 0 ? 1_500 : 0;
      nowNs += waitNs;
    }

    assertThat(sent).isBetween(RATE - 1_500, RATE + 1_500);
  }

  @Test
  void anIdleLinkSavesUpMillisecondsOnly() {
    var bucket = new TokenBucket(0);
    long sent = 0;
    while (bucket.take(100, RATE, 60_000_000_000L) == 0) {
      sent += 100;
    }

    assertThat(sent).isBetween(4_900L, 5_200L);
  }
}
