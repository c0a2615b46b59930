package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.PathMeasurement;
import io.maestro.verbs.sim.LinkOptions;
import io.maestro.verbs.sim.SimFabric;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Measuring on a fabric where the right answer is known. */
class MeasurementOnSimTest extends MeasurementContract {
  private static final long RATE = 50_000_000;
  private static final Duration DELAY = Duration.ofNanos(200_000);

  @Override
  Rig newRig() {
    return new SimRig(
        LinkOptions.defaults().withBytesPerSecond(RATE).withDelay(DELAY),
        SimFabric.builder().seed(1));
  }

  @Test
  void theRateAndTheRoundTripAreThoseOfTheLink() {
    PathMeasurement measured = rig.one(pair.client.measure(2, SHORT));
    assertThat(measured.bytesPerSecond()).isBetween(RATE * 9 / 10, RATE);
    assertThat(measured.rttNs())
        .isBetween(2 * DELAY.toNanos(), 2 * DELAY.toNanos() + DELAY.toNanos() / 2);
    assertThat(measured.bytes()).isBetween(RATE / 20, RATE / 5);
  }
}
