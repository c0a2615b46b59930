package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import io.maestro.api.SendOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** How connections begin, fail and end, on any provider. */
abstract class ConnectionLifecycleContract {
  private static final Duration SOON = Duration.ofSeconds(20);

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

  private Pair pair() {
    return new Pair(rig, ConnectionContract.DEFAULTS);
  }

  @Test
  void aPeerWithAnotherSecretIsRefusedWithTheReason() {
    Endpoint server = rig.endpoint(b -> b.secret("one"));
    Endpoint client = rig.endpoint(b -> b.secret("another"));
    List<InetSocketAddress> addresses = rig.one(server.bind(rig.addresses())).addresses();
    assertThatThrownBy(() -> rig.one(client.connect(addresses)))
        .isInstanceOf(MaestroException.Refused.class)
        .hasMessageContaining("secret");
  }

  @Test
  void nobodyListeningIsSaidWithTheAddresses() {
    Endpoint server = rig.endpoint(ConnectionContract.DEFAULTS);
    var binding = rig.one(server.bind(rig.addresses()));
    List<InetSocketAddress> addresses = binding.addresses();
    server.close();
    Endpoint client = rig.endpoint(ConnectionContract.DEFAULTS);
    assertThatThrownBy(() -> rig.one(client.connect(addresses)))
        .isInstanceOf(MaestroException.ConnectFailed.class)
        .hasMessageContaining(String.valueOf(addresses.getFirst().getPort()));
  }

  @Test
  void closingLetsSendsUnderWayFinishAndTheReceiverGetsThemAll() {
    Pair pair = pair();
    List<Message> got = new CopyOnWriteArrayList<>();
    AtomicReference<String> end = new AtomicReference<>("open");
    pair.server
        .receive()
        .subscribe(got::add, failure -> end.set("failed"), () -> end.set("complete"));
    List<String> sent = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 3; i++) {
      Region region = Pair.random(5_000_000, i);
      pair.client
          .send(region)
          .doFinally(signal -> region.release())
          .subscribe(null, failure -> sent.add(failure.toString()), () -> sent.add("sent"));
    }
    rig.one(pair.client.close());
    rig.until(() -> !end.get().equals("open"), SOON);
    assertThat(end.get()).isEqualTo("complete");
    assertThat(sent).containsExactly("sent", "sent", "sent");
    assertThat(got).hasSize(3);
    got.forEach(Message::close);
    pair.assertNothingLeased();
  }

  @Test
  void sendingOnAClosedConnectionIsATypedError() {
    Pair pair = pair();
    rig.one(pair.client.close());
    try (Region region = Region.allocate(10)) {
      assertThatThrownBy(() -> rig.one(pair.client.send(region)))
          .isInstanceOf(MaestroException.Closed.class);
    }
  }

  @Test
  void aPeerThatDiesEndsEverySendAndReceiveWithAnErrorAndItsCause() {
    Pair pair = pair();
    AtomicReference<Throwable> received = new AtomicReference<>();
    AtomicReference<Throwable> sent = new AtomicReference<>();
    AtomicReference<Throwable> ended = new AtomicReference<>();
    pair.client.receive().subscribe(Message::close, received::set);
    pair.client.onClose().subscribe(null, ended::set);
    Region region = Region.allocate(1_000_000);
    pair.client.send(region).subscribe(null, sent::set);
    region.release();
    pair.serverEnd.close();
    rig.until(() -> received.get() != null && sent.get() != null && ended.get() != null, SOON);
    assertThat(List.of(received.get(), sent.get(), ended.get()))
        .allMatch(MaestroException.ConnectionLost.class::isInstance)
        .allMatch(failure -> failure.getCause() != null);
    try (Region later = Region.allocate(10)) {
      assertThatThrownBy(() -> rig.one(pair.client.send(later)))
          .as("it was not this side that closed the connection")
          .isInstanceOf(MaestroException.ConnectionLost.class);
    }
    pair.assertNothingLeased();
  }

  @Test
  void aLostPathLosesNothing() {
    Pair pair = pair();
    OnDemand receiver = new OnDemand(); // so that a slow machine has some left at each loss
    pair.server.receive().subscribe(receiver);
    List<String> sent = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 6; i++) {
      Region region = Pair.random(8_000_000, i);
      pair.client
          .send(region)
          .doFinally(signal -> region.release())
          .subscribe(null, failure -> sent.add(failure.toString()), () -> sent.add("sent"));
    }
    for (int lost = 1; lost < 4; lost++) {
      long before = acked(pair.client);
      receiver.request(2);
      rig.until(() -> acked(pair.client) > before, SOON);
      Faults.losePath(lost % 2 == 0 ? pair.client : pair.server, lost);
    }
    rig.until(() -> sent.size() == 6 && receiver.got.size() == 6, SOON);
    assertThat(sent).containsOnly("sent");
    for (Message message : receiver.got) {
      assertThat(Pair.matches(message.data(), message.sequence() - 1)).isTrue();
      message.close();
    }
    for (Connection end : List.of(pair.client, pair.server)) {
      rig.until(() -> Faults.allUp(end), SOON);
      assertThat(end.paths())
          .extracting(path -> path.health().failovers())
          .containsExactly(0L, 1L, 1L, 1L);
    }
    pair.assertNothingLeased();
  }

  private static long acked(Connection connection) {
    return connection.paths().stream().mapToLong(PathReport::ackedBytes).sum();
  }

  @Test
  void aDeadlineSaysWhatWasWaitedFor() {
    Pair pair = pair();
    try (Region region = Region.allocate(10)) {
      assertThatThrownBy(
              () ->
                  rig.one(
                      pair.client.send(
                          region, SendOptions.DEFAULT.withTimeout(Duration.ofMillis(200)))))
          .isInstanceOf(MaestroException.DeadlineExceeded.class)
          .hasMessageContaining("demand");
    }
  }

  @Test
  void aReceiverThatCancelsEndsMessagesUnderWayAndMayComeBack() {
    Pair pair = new Pair(rig, b -> ConnectionContract.DEFAULTS.apply(b).windowBytes(100_000));
    List<Message> got = new ArrayList<>();
    Disposable subscription = pair.server.receive().subscribe(got::add);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Region region = Region.allocate(200 << 20);
    pair.client.send(region).subscribe(null, failure::set);
    region.release();
    rig.until(() -> pair.serverEnd.leasedBytes() > 0, SOON);
    subscription.dispose();
    rig.until(() -> failure.get() != null, SOON);
    assertThat(failure.get()).isInstanceOf(MaestroException.ReceiverCancelled.class);
    pair.assertNothingLeased();
    pair.server.receive().subscribe(Message::close);
    try (Region small = Region.allocate(20_000)) {
      rig.one(pair.client.send(small));
    }
    pair.assertNothingLeased();
  }

  @Test
  void aSecondSubscriberIsToldToShare() {
    Pair pair = pair();
    pair.server.receive().subscribe();
    assertThatThrownBy(() -> rig.first(pair.server.receive()))
        .isInstanceOf(IllegalStateException.class);
  }
}
