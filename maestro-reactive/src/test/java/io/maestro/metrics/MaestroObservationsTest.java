package io.maestro.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.Connection;
import io.maestro.api.Region;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.util.context.Context;

/** Observations of messages, for traces. */
class MaestroObservationsTest {
  private final SimPeers peers = new SimPeers();
  private final ObservationRegistry registry = ObservationRegistry.create();
  private final List<Observation.Context> ended = new ArrayList<>();

  @BeforeEach
  void watch() {
    registry.observationConfig().observationHandler(new Watcher());
  }

  private final class Watcher implements ObservationHandler<Observation.Context> {
    @Override
    public void onStop(Observation.Context context) {
      ended.add(context);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return true;
    }
  }

  @AfterEach
  void close() {
    peers.close();
  }

  private static String key(Observation.Context context, String key) {
    var low = context.getLowCardinalityKeyValue(key);
    return low == null ? context.getHighCardinalityKeyValue(key).getValue() : low.getValue();
  }

  @Test
  void aSendIsAChildOfTheObservationInTheSubscribersContext() {
    Observation parent = Observation.start("parent", registry);
    Connection connection = peers.connect(peers.maestro(new MaestroObservations(registry)));
    peers.send(connection, 100, Context.of("micrometer.observation", parent));
    assertThat(ended).hasSize(1);
    Observation.Context send = ended.getFirst();
    assertThat(send.getName()).isEqualTo("maestro.send");
    assertThat(send.getParentObservation()).isSameAs(parent);
    assertThat(key(send, "outcome")).isEqualTo("done");
    assertThat(key(send, "provider")).isEqualTo("sim");
    assertThat(key(send, "bytes")).isEqualTo("100");
    assertThat(key(send, "peer")).isEqualTo(connection.peer());
  }

  @Test
  void aSendOfAThreadWithAnObservationIsItsChild() {
    Connection connection = peers.connect(peers.maestro(new MaestroObservations(registry)));
    Observation parent = Observation.start("parent", registry);
    try (Observation.Scope scope = parent.openScope()) {
      assertThat(scope.getCurrentObservation()).isSameAs(parent);
      peers.send(connection, 100);
    }
    assertThat(ended.getFirst().getParentObservation()).isSameAs(parent);
  }

  @Test
  void aFailureIsInTheObservation() {
    Maestro client = peers.maestro(new MaestroObservations(registry));
    Connection connection = peers.connect(client);
    var region = Region.allocate(64 << 20);
    connection.send(region).subscribe(done -> {}, failure -> {});
    client.close();
    assertThat(ended).hasSize(1);
    assertThat(key(ended.getFirst(), "outcome")).isEqualTo("failed");
    assertThat(ended.getFirst().getError()).isNotNull();
  }

  @Test
  void nothingIsMadeForARegistryThatDoesNothing() {
    Connection connection =
        peers.connect(peers.maestro(new MaestroObservations(ObservationRegistry.NOOP)));
    peers.send(connection, 100);
    assertThat(ended).isEmpty();
  }
}
