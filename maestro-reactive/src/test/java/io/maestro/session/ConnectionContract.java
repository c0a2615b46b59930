package io.maestro.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.api.Connection.RemoteAccess;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import io.maestro.api.RemoteRegion;
import io.maestro.api.SendOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What a connection does, on any provider. */
abstract class ConnectionContract {
  static final UnaryOperator<MaestroConfig.Builder> DEFAULTS = b -> b.secret("between us");

  Rig rig;

  abstract Rig newRig();

  @BeforeEach
  void open() {
    rig = newRig();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 100, 16 * 1024, 16 * 1024 + 1, 51_200, 51_201, 1_000_000, 20_000_003})
  void aMessageOfAnySizeArrivesByteForByte(long size) {
    Pair pair = new Pair(rig, DEFAULTS);
    try (Region region = Pair.random(size, size)) {
      Mono<Message> received = pair.server.receive().next();
      Message message =
          rig.one(Mono.zip(received, pair.client.send(region).thenReturn(1)).map(t -> t.getT1()));
      assertThat(message.size()).isEqualTo(size);
      assertThat(Pair.matches(message.data(), size)).isTrue();
      message.close();
    }
    pair.assertNothingLeased();
  }

  @Test
  void headerAndOrderOfSendingTravelWithTheMessage() {
    Pair pair = new Pair(rig, DEFAULTS);
    List<Message> got = new CopyOnWriteArrayList<>();
    pair.client.receive().subscribe(got::add);
    for (int i = 1; i <= 3; i++) {
      try (Region region = Pair.random(i == 2 ? 300_000 : 10, i)) {
        ByteBuffer header = ByteBuffer.wrap(("header " + i).getBytes(UTF_8));
        rig.one(pair.server.send(region, SendOptions.DEFAULT.withHeader(header)));
      }
    }
    rig.until(() -> got.size() == 3, Duration.ofSeconds(10));
    for (int i = 1; i <= 3; i++) {
      Message message = got.get(i - 1);
      assertThat(message.sequence()).isEqualTo(i);
      assertThat(new String(bytes(message.header()), UTF_8)).isEqualTo("header " + i);
      message.close();
    }
    pair.assertNothingLeased();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 500_000})
  void nothingIsSentWithoutDemandAndExactlyWhatIsAskedForWithIt(int size) {
    Pair pair = new Pair(rig, DEFAULTS);
    OnDemand subscriber = new OnDemand();
    pair.server.receive().subscribe(subscriber);
    List<Integer> sent = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      Region region = Pair.random(size, i);
      pair.client
          .send(region)
          .doFinally(s -> region.release())
          .subscribe(null, null, () -> sent.add(number));
    }
    assertThat(pair.serverEnd.leasedBytes()).isZero();
    for (int asked = 1; asked <= 5; asked++) {
      int expected = asked;
      subscriber.request(1);
      rig.until(
          () -> subscriber.got.size() == expected && sent.size() == expected,
          Duration.ofSeconds(10));
    }
    subscriber.got.forEach(Message::close);
    pair.assertNothingLeased();
  }

  @Test
  void oneSidedWritesAndReadsMoveBytesWithoutThePeer() {
    Pair pair = new Pair(rig, DEFAULTS);
    try (Region memory = Region.allocate(3_000_000);
        Region source = Pair.random(2_000_000, 7);
        Region back = Region.allocate(2_000_000)) {
      RemoteRegion handle =
          pair.server.export(memory, Set.of(RemoteAccess.READ, RemoteAccess.WRITE));
      RemoteRegion travelled = RemoteRegion.from(handle.toBytes());
      rig.one(pair.client.write(source, travelled, 1000));
      assertThat(Pair.matches(memory.segment().asSlice(1000, 2_000_000), 7)).isTrue();
      rig.one(pair.client.read(travelled, 1000, back));
      assertThat(Pair.matches(back.segment(), 7)).isTrue();
    }
  }

  @Test
  void aOneSidedAccessOutsideTheExportIsDeniedBeforeItIsSent() {
    Pair pair = new Pair(rig, DEFAULTS);
    try (Region memory = Region.allocate(100);
        Region source = Region.allocate(100)) {
      RemoteRegion handle = pair.server.export(memory, Set.of(RemoteAccess.WRITE));
      assertThatThrownBy(() -> rig.one(pair.client.write(source, handle, 1)))
          .isInstanceOf(MaestroException.AccessDenied.class);
      rig.one(pair.client.write(source, handle, 0));
    }
  }

  @Test
  void aRevokedExportDeniesAccessAndTheConnectionGoesOn() {
    Pair pair = new Pair(rig, DEFAULTS);
    try (Region memory = Region.allocate(1000);
        Region source = Region.allocate(1000)) {
      RemoteRegion handle = pair.server.export(memory, Set.of(RemoteAccess.WRITE));
      pair.server.revoke(handle);
      assertThatThrownBy(() -> rig.one(pair.client.write(source, handle, 0)))
          .isInstanceOf(MaestroException.AccessDenied.class)
          .hasCauseInstanceOf(Exception.class);
      Mono<Message> received = pair.server.receive().next();
      rig.one(Mono.zip(received.doOnNext(Message::close), pair.client.send(source).thenReturn(1)));
    }
    pair.assertNothingLeased();
  }

  @Test
  void aMessageLargerThanTheReceiversBudgetFailsAndOthersPass() {
    Pair pair = new Pair(rig, DEFAULTS, b -> DEFAULTS.apply(b).memoryBudgetBytes(1_000_000));
    pair.server.receive().subscribe(Message::close);
    try (Region large = Region.allocate(1_000_001);
        Region fits = Region.allocate(900_000)) {
      assertThatThrownBy(() -> rig.one(pair.client.send(large)))
          .isInstanceOf(MaestroException.TooLarge.class)
          .hasMessageContaining("1000000 bytes");
      rig.one(pair.client.send(fits));
    }
    pair.assertNothingLeased();
  }

  @Test
  void theMemoryBudgetHoldsBackMessagesUntilOthersAreClosed() {
    Pair pair = new Pair(rig, DEFAULTS, b -> DEFAULTS.apply(b).memoryBudgetBytes(1_000_000));
    List<Message> got = new CopyOnWriteArrayList<>();
    pair.server.receive().subscribe(got::add);
    AtomicBoolean done = new AtomicBoolean();
    Flux<Region> four = Flux.range(0, 4).map(i -> Pair.random(400_000, i));
    pair.client.send(four).subscribe(null, null, () -> done.set(true));
    for (int i = 0; i < 4; i++) {
      int have = i;
      rig.until(() -> got.size() > have, Duration.ofSeconds(10));
      assertThat(pair.serverEnd.leasedBytes()).isLessThanOrEqualTo(1_000_000);
      got.get(i).close();
    }
    rig.until(done::get, Duration.ofSeconds(10));
    pair.assertNothingLeased();
  }

  @Test
  void eachPathCarriesItsShareOfALargeMessage() {
    Pair pair = new Pair(rig, DEFAULTS);
    pair.server.receive().subscribe(Message::close);
    try (Region region = Region.allocate(64 << 20)) {
      rig.one(pair.client.send(region));
    }
    List<PathReport> paths = pair.client.paths();
    assertThat(paths).hasSize(4).allMatch(path -> path.state() == PathReport.State.UP);
    long total = paths.stream().mapToLong(PathReport::ackedBytes).sum();
    assertThat(total).isEqualTo(64 << 20);
    assertThat(paths).allMatch(path -> path.ackedBytes() > total / 10);
  }
}
