package io.maestro.trainer.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LatenciesTest {

  @Test
  void percentilesAreThoseOfAllThatWasCounted() {
    var latencies = new Latencies();
    for (int ms = 1; ms <= 100; ms++) {
      latencies.record(ms * 1_000_000L);
    }

    assertThat(latencies.ms(50)).isCloseTo(50, within(0.1));
    assertThat(latencies.ms(99)).isCloseTo(99, within(0.1));
    assertThat(latencies.ms(100)).isCloseTo(100, within(0.1));
  }

  @Test
  void nothingCountedIsZero() {
    assertThat(new Latencies().ms(99)).isZero();
  }

  @Test
  void whatGoesToAnotherProcessArrivesAsItWas() {
    var latencies = new Latencies();
    latencies.record(5_000_000);
    latencies.record(7_000_000_000L);

    Latencies arrived = Latencies.decode(latencies.encoded());

    assertThat(arrived.count()).isEqualTo(2);
    assertThat(arrived.ms(50)).isEqualTo(latencies.ms(50));
    assertThat(arrived.ms(100)).isEqualTo(latencies.ms(100));
  }

  @Test
  void addedDistributionsCountTogether() {
    var slow = new Latencies();
    slow.record(9_000_000);
    var both = new Latencies();
    both.record(1_000_000);

    both.add(slow);

    assertThat(both.count()).isEqualTo(2);
    assertThat(both.ms(100)).isCloseTo(9, within(0.01));
  }

  @Test
  void otherTextIsNoDistribution() {
    assertThatThrownBy(() -> Latencies.decode("AAAA")).isInstanceOf(RuntimeException.class);
  }
}
