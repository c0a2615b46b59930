package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.PathEvent;
import io.maestro.api.PathHealth;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Paths that fail and come back while messages flow, on any provider. */
abstract class FailoverContract {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration LONG = Duration.ofMinutes(4);

  private Rig rig;

  abstract Rig newRig();

  @BeforeEach
  void open() {
    rig = newRig();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  /** Where a wire fails that a kernel or a relay goes on acknowledging, keep-alive finds it. */
  static MaestroConfig.Builder quick(MaestroConfig.Builder b) {
    return ConnectionContract.DEFAULTS
        .apply(b)
        .timeouts(
            new MaestroConfig.Timeouts(
                Duration.ofSeconds(5),
                Duration.ofMinutes(2),
                Duration.ofMillis(400),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5)))
        .breaker(
            new MaestroConfig.Breaker(
                Duration.ofMillis(50),
                Duration.ofSeconds(2),
                Duration.ofMillis(2),
                Duration.ofMillis(5),
                3));
  }

  @Test
  void aPathThatFailsInTheMiddleOfAMessageLosesNothingAndItsShareReturnsWithIt() {
    Pair pair = Pair.wired(rig, FailoverContract::quick);
    List<Message> got = new CopyOnWriteArrayList<>();
    pair.server.receive().subscribe(got::add);
    AtomicBoolean sent = send(pair.client, 60_000_000, 1);
    rig.until(() -> acked(pair.client, 1) > 0, SOON);
    rig.wire(1, Rig.Wire.BROKEN);
    rig.until(() -> sent.get() && got.size() == 1, SOON);
    assertThat(Pair.matches(got.getFirst().data(), 1)).isTrue();
    rig.wire(1, Rig.Wire.GOOD);
    rig.until(() -> Faults.allUp(pair.client) && Faults.allUp(pair.server), SOON);
    long before = acked(pair.client, 1);
    AtomicBoolean again = send(pair.client, 60_000_000, 2);
    rig.until(() -> again.get() && got.size() == 2, SOON);
    assertThat(acked(pair.client, 1) - before).isGreaterThan(60_000_000 / 10);
    assertThat(Pair.matches(got.getLast().data(), 2)).isTrue();
    got.forEach(Message::close);
    pair.assertNothingLeased();
  }

  private static AtomicBoolean send(Connection connection, int bytes, long seed) {
    AtomicBoolean sent = new AtomicBoolean();
    Region region = Pair.random(bytes, seed);
    connection
        .send(region)
        .doFinally(signal -> region.release())
        .subscribe(null, null, () -> sent.set(true));
    return sent;
  }

  private static long acked(Connection connection, int path) {
    return connection.paths().get(path).ackedBytes();
  }

  @Test
  void whatAFrozenPathDeliversLateNeverTouchesWhatTheUserHas() {
    Pair pair = Pair.wired(rig, FailoverContract::quick);
    List<Message> got = new CopyOnWriteArrayList<>();
    pair.server.receive().subscribe(got::add);
    List<PathEvent> events = new CopyOnWriteArrayList<>();
    pair.client.pathEvents().subscribe(events::add);
    rig.wire(2, Rig.Wire.FROZEN);
    AtomicBoolean sent = send(pair.client, 30_000_000, 3);
    rig.until(() -> sent.get() && got.size() == 1, SOON);
    assertThat(events)
        .as("chunks were in flight on the frozen path")
        .anyMatch(e -> e instanceof PathEvent.FailedOver over && over.repeated() > 0);
    MemorySegment users = got.getFirst().data();
    assertThat(Pair.matches(users, 3)).isTrue();
    users.fill((byte) 0x5a);
    rig.wire(2, Rig.Wire.GOOD);
    rig.until(() -> Faults.allUp(pair.client) && Faults.allUp(pair.server), SOON);
    AtomicBoolean again = send(pair.client, 30_000_000, 4);
    rig.until(() -> again.get() && got.size() == 2, SOON);
    MemorySegment expected = MemorySegment.ofArray(new byte[30_000_000]).fill((byte) 0x5a);
    assertThat(users.mismatch(expected)).as("first byte that is not the user's").isEqualTo(-1);
    got.forEach(Message::close);
    pair.assertNothingLeased();
  }

  @Test
  void twoHundredFlapsInARowLoseNothingAndCauseABoundedNumberOfConnects() {
    Pair pair = Pair.wired(rig, FailoverContract::quick);
    List<Message> got = new CopyOnWriteArrayList<>();
    pair.server.receive().subscribe(got::add);
    for (int flap = 0; flap < 200; flap++) {
      rig.until(() -> state(pair.client, 1) == PathReport.State.UP, LONG);
      AtomicBoolean sent = send(pair.client, 3_000_000, flap);
      Faults.losePath(flap % 2 == 0 ? pair.client : pair.server, 1);
      int number = flap + 1;
      rig.until(() -> health(pair.client).failovers() == number, LONG);
      rig.until(() -> sent.get() && got.size() == number, LONG);
    }
    assertThat(health(pair.client).generation()).isBetween(199, 240);
    assertThat(got).extracting(Message::sequence).doesNotHaveDuplicates();
    for (Message message : got) {
      assertThat(Pair.matches(message.data(), message.sequence() - 1)).isTrue();
      message.close();
    }
    pair.assertNothingLeased();
  }

  private static PathHealth health(Connection connection) {
    return connection.paths().get(1).health();
  }

  private static PathReport.State state(Connection connection, int path) {
    return connection.paths().get(path).state();
  }

  @Test
  void startedWithSomeTargetsDownItWorksAndTakesThemInWhenTheyCome() {
    Pair pair =
        Pair.wired(
            rig,
            FailoverContract::quick,
            wires -> {
              rig.wire(0, Rig.Wire.BROKEN);
              rig.wire(3, Rig.Wire.BROKEN);
              return wires;
            });
    pair.server.receive().subscribe(Message::close);
    AtomicBoolean sent = send(pair.client, 5_000_000, 1);
    rig.until(sent::get, SOON);
    assertThat(pair.client.paths().stream().filter(p -> p.state() == PathReport.State.UP))
        .hasSizeBetween(2, 3);
    rig.wire(0, Rig.Wire.GOOD);
    rig.wire(3, Rig.Wire.GOOD);
    rig.until(() -> Faults.allUp(pair.client) && Faults.allUp(pair.server), SOON);
    assertThat(pair.server.paths()).hasSize(4);
  }

  @Test
  void withoutAnyPathPublishersWaitAndGoOnWhenOneIsBack() {
    Pair pair = Pair.wired(rig, FailoverContract::quick);
    List<Message> got = new CopyOnWriteArrayList<>();
    pair.server.receive().subscribe(got::add);
    AtomicBoolean sent = send(pair.client, 60_000_000, 1);
    rig.until(() -> acked(pair.client, 1) > 0, SOON);
    all(Rig.Wire.BROKEN);
    rig.until(() -> up(pair.client) == 0, SOON);
    AtomicBoolean small = send(pair.client, 10, 2);
    rig.wire(2, Rig.Wire.GOOD);
    rig.until(() -> sent.get() && small.get() && got.size() == 2, SOON);
    for (Message message : got) {
      assertThat(Pair.matches(message.data(), message.sequence())).isTrue();
      message.close();
    }
    pair.assertNothingLeased();
  }

  private void all(Rig.Wire state) {
    for (int wire = 0; wire < 4; wire++) {
      rig.wire(wire, state);
    }
  }

  private static long up(Connection connection) {
    return connection.paths().stream().filter(p -> p.state() == PathReport.State.UP).count();
  }

  @Test
  void whenNoPathComesBackEverythingEndsWithTheFirstCause() {
    Pair pair = Pair.wired(rig, FailoverContract::quick);
    pair.server.receive().subscribe(Message::close, failure -> {});
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    pair.client.onClose().subscribe(null, failures::add);
    pair.client.receive().subscribe(Message::close, failures::add);
    Region region = Region.allocate(60_000_000);
    pair.client.send(region).subscribe(null, failures::add);
    region.release();
    rig.until(() -> acked(pair.client, 1) > 0, SOON);
    Faults.losePath(pair.client, 3);
    rig.until(() -> state(pair.client, 3) != PathReport.State.UP, SOON);
    all(Rig.Wire.FROZEN);
    AtomicReference<Throwable> serverEnd = new AtomicReference<>();
    pair.server.onClose().subscribe(null, serverEnd::set);
    rig.until(() -> failures.size() == 3 && serverEnd.get() != null, SOON);
    assertThat(failures).allMatch(MaestroException.ConnectionLost.class::isInstance);
    assertThat(serverEnd.get()).isInstanceOf(MaestroException.ConnectionLost.class);
    assertThat(failures).allMatch(failure -> failure.getCause() != null);
    pair.assertNothingLeased();
  }

  @Test
  void oneOfThreePeersDiesAndTheOthersGoOn() {
    List<Pair> pairs = new ArrayList<>();
    for (int peer = 0; peer < 3; peer++) {
      pairs.add(new Pair(rig, FailoverContract::quick));
    }
    pairs.forEach(pair -> pair.server.receive().subscribe(Message::close, failure -> {}));
    AtomicReference<Throwable> lost = new AtomicReference<>();
    pairs.get(1).client.onClose().subscribe(null, lost::set);
    pairs.get(1).serverEnd.close();
    for (int peer = 0; peer < 3; peer += 2) {
      AtomicBoolean sent = send(pairs.get(peer).client, 5_000_000, peer);
      rig.until(sent::get, SOON);
    }
    rig.until(() -> lost.get() != null, SOON);
    assertThat(lost.get()).isInstanceOf(MaestroException.ConnectionLost.class);
  }

  @Test
  void closingInOrderIsNoLossOfAnyPath() {
    Pair pair = new Pair(rig, FailoverContract::quick);
    List<PathEvent> events = new CopyOnWriteArrayList<>();
    AtomicBoolean over = new AtomicBoolean();
    AtomicBoolean serverOver = new AtomicBoolean();
    pair.client.pathEvents().subscribe(events::add, null, () -> over.set(true));
    pair.server.pathEvents().subscribe(events::add, null, () -> serverOver.set(true));
    rig.one(pair.client.close());
    rig.until(() -> over.get() && serverOver.get(), SOON);
    assertThat(events).isEmpty();
  }
}
