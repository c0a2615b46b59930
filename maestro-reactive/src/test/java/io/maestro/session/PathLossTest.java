package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.Message;
import io.maestro.api.PathEvent;
import io.maestro.api.Region;
import io.maestro.verbs.sim.LinkOptions;
import io.maestro.verbs.sim.SimFabric;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** What is told of lost paths, and what can no longer happen through them. */
class PathLossTest {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final int BYTES = 10_000_000;

  private final SimRig rig =
      new SimRig(
          LinkOptions.defaults().withBytesPerSecond(250_000_000), SimFabric.builder().seed(3));
  private final List<Message> got = new ArrayList<>();
  private Pair pair;

  @BeforeEach
  void open() {
    pair = new Pair(rig, ConnectionContract.DEFAULTS);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private static void send(Connection connection, long seed) {
    Region region = Pair.random(BYTES, seed);
    connection.send(region).subscribe(null, failure -> {});
    region.release();
  }

  @Test
  void theFirstErrorOfAPathIsToldAndWhatFollowsFromItIsCounted() {
    List<PathEvent> events = new ArrayList<>();
    pair.client.pathEvents().subscribe(events::add);
    pair.server.receive().subscribe(got::add);
    send(pair.client, 1);
    rig.until(() -> pair.client.paths().get(2).ackedBytes() > 0, SOON);
    Faults.losePath(pair.client, 2);
    rig.until(() -> got.size() == 1, SOON);
    List<PathEvent.Down> downs =
        events.stream()
            .filter(PathEvent.Down.class::isInstance)
            .map(PathEvent.Down.class::cast)
            .toList();
    assertThat(downs).hasSize(1);
    assertThat(downs.getFirst().cause()).isEqualTo("broken by the test");
    assertThat(downs.getFirst().flushed()).isGreaterThan(SendQueue.DEPTH / 2);
  }

  @Test
  void completionsThatAreLostWithTheirQueuePairHoldNothingUp() {
    rig.wrapping(LossyDevice::new);
    Pair lossy = new Pair(rig, ConnectionContract.DEFAULTS);
    lossy.server.receive().subscribe(got::add);
    send(lossy.client, 1);
    rig.until(() -> lossy.client.paths().get(2).ackedBytes() > 0, SOON);
    Faults.losePath(lossy.client, 2);
    rig.until(() -> got.size() == 1, SOON);
    assertThat(Pair.matches(got.getFirst().data(), 1)).isTrue();
    assertThat(lossy.client.paths().get(2).health().failovers()).isEqualTo(1);
    rig.until(() -> Faults.allUp(lossy.client), SOON);
    got.forEach(Message::close);
    lossy.assertNothingLeased();
  }

  @Test
  void theErrorOfASilentPathSaysPathSourceDestinationAndWhatToCheck() {
    List<String> causes = new ArrayList<>();
    pair.client
        .pathEvents()
        .ofType(PathEvent.Down.class)
        .subscribe(down -> causes.add(down.cause()));
    pair.server.receive().subscribe(Message::close);
    rig.blackHole(3, true);
    send(pair.client, 1);
    rig.until(() -> !causes.isEmpty(), SOON);
    assertThat(causes.getFirst())
        .contains("path 3", SimRig.CLIENT + 4, SimRig.SERVER + 4, "no progress", "check its links");
  }

  @Test
  void healthSaysWhetherAnotherPathCouldTakeOver() {
    assertThat(pair.client.paths()).allMatch(path -> path.health().redundant());
    for (int path = 1; path < 4; path++) {
      rig.wire(path, Rig.Wire.BROKEN);
      Faults.losePath(pair.client, path);
    }
    rig.fabric.runFor(Duration.ofMillis(20));
    assertThat(pair.client.paths().getFirst().health().redundant()).isFalse();
    assertThat(pair.client.paths().getLast().health().redundant()).isTrue();
  }

  @Test
  void aLateWriteOfAnEndedSessionNeverLandsInTheNext() {
    pair.server.receive().subscribe(got::add, failure -> {});
    send(pair.client, 1);
    rig.until(() -> pair.client.paths().get(2).ackedBytes() > 0, SOON);
    for (int wire = 0; wire < 4; wire++) {
      rig.wire(wire, Rig.Wire.FROZEN);
    }
    rig.fabric.runFor(Duration.ofMillis(5)); // what is sent now arrives 3 s later
    for (int wire = 0; wire < 4; wire++) {
      rig.wire(wire, Rig.Wire.GOOD);
    }
    end(pair.client);
    end(pair.server);
    rig.fabric.runFor(Duration.ofMillis(20));
    assertThat(pair.serverEnd.leasedBytes()).isZero();
    Binding again = rig.one(pair.serverEnd.bind(rig.addresses()));
    Mono<Connection> accepted = again.connections().next().cache();
    accepted.subscribe();
    Connection client = rig.one(pair.clientEnd.connect(again.addresses()));
    rig.one(accepted).receive().subscribe(got::add, failure -> {});
    send(client, 2);
    rig.until(() -> !got.isEmpty(), SOON);
    MemorySegment users = got.getFirst().data();
    assertThat(Pair.matches(users, 2)).isTrue();
    users.fill((byte) 0x5a);
    rig.fabric.runFor(Duration.ofSeconds(5));
    MemorySegment expected = MemorySegment.ofArray(new byte[BYTES]).fill((byte) 0x5a);
    assertThat(users.mismatch(expected)).as("first byte that is not the user's").isEqualTo(-1);
    got.forEach(Message::close);
  }

  private static void end(Connection connection) {
    Session session = ((SessionConnection) connection).session();
    session.later(() -> session.end(null));
  }
}
