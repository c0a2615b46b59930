package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.PathMeasurement;
import io.maestro.api.Region;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Measuring a path, on any provider. */
abstract class MeasurementContract {
  static final Duration SHORT = Duration.ofMillis(100);

  Rig rig;
  Pair pair;

  abstract Rig newRig();

  @BeforeEach
  void open() {
    rig = newRig();
    pair = new Pair(rig, ConnectionContract.DEFAULTS);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void aPathIsMeasuredAndTheConnectionGoesOn() {
    for (int path = 0; path < 4; path++) {
      PathMeasurement measured = rig.one(pair.client.measure(path, SHORT));
      assertThat(measured.rttNs()).isPositive();
      assertThat(measured.bytesPerSecond()).isPositive();
      assertThat(measured.bytes()).isPositive();
      assertThat(measured.remote()).isEqualTo(pair.client.paths().get(path).remote());
      assertThat(measured.local().getAddress())
          .isEqualTo(pair.client.paths().get(path).local().getAddress());
      assertThat(measured.onItsRoute()).isFalse();
    }
    try (Region sent = Pair.random(1 << 20, 3)) {
      pair.client.send(sent).subscribe();
      try (Message got = rig.first(pair.server.receive())) {
        assertThat(got.size()).isEqualTo(1 << 20);
      }
    }
    pair.assertNothingLeased();
  }

  @Test
  void onlyTheConnectingSideMeasuresAndOnlyPathsThatThereAre() {
    assertThatThrownBy(() -> rig.one(pair.server.measure(0, SHORT)))
        .isInstanceOf(MaestroException.Unsupported.class);
    assertThatThrownBy(() -> rig.one(pair.client.measure(4, SHORT)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no path 4");
    assertThatThrownBy(() -> rig.one(pair.client.measure(0, Duration.ofMillis(1))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aClosedConnectionMeasuresNothing() {
    Connection client = pair.client;
    rig.one(client.close());
    assertThatThrownBy(() -> rig.one(client.measure(0, SHORT)))
        .isInstanceOf(MaestroException.class);
  }
}
