package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.sim.LinkOptions;
import io.maestro.verbs.sim.SimFabric;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer that knows the secret breaks the protocol: its session ends, its memory is given back, and
 * the others go on.
 */
class HostilePeerTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int CHUNK = 4096;
  private static final int MAX_MESSAGES = 16;
  private static final long BUDGET = 1 << 20;

  private final Arena arena = Arena.ofShared();
  private final SimRig rig = new SimRig(LinkOptions.defaults(), SimFabric.builder().seed(1));
  private final Device device = rig.fabric.provider().open(DeviceOptions.defaults());
  private final Endpoint server = rig.endpoint(HostilePeerTest::settings);
  private final Binding binding = rig.one(server.bind(rig.addresses()));
  private final List<Connection> accepted = new ArrayList<>();
  private Connection honest;
  private HostilePeer mallory;

  private static MaestroConfig.Builder settings(MaestroConfig.Builder b) {
    return FailoverContract.quick(b)
        .chunkBytes(CHUNK)
        .eagerBytes(1024)
        .maxMessages(MAX_MESSAGES)
        .memoryBudgetBytes(BUDGET);
  }

  /** An honest session, and one of mallory's, both open; the server takes what they send. */
  private void open() {
    binding
        .connections()
        .subscribe(
            connection -> {
              accepted.add(connection);
              connection.receive().subscribe(Message::close, failure -> {});
            });
    honest = rig.one(rig.endpoint(HostilePeerTest::settings).connect(binding.addresses()));
    again();
    rig.fabric.runFor(Duration.ofMillis(10));
  }

  @AfterEach
  void nobodyElseIsHarmed() {
    Region region = Pair.random(100_000, 1);
    rig.one(honest.send(region).doFinally(signal -> region.release()));
    device.close();
    rig.until(() -> server.connections().size() == 1, SOON);
    rig.until(() -> server.leasedBytes() == 0 && server.pool().leasedCount() == 0, SOON);
    assertThat(rig.fabric.thrown()).isEmpty();
    rig.close();
    arena.close();
  }

  private void assertThatThisEndsItsSession(ToIntFunction<WireWriter> message) {
    mallory.say(message);
    rig.until(mallory::hasEnded, SOON);
  }

  private static ToIntFunction<WireWriter> offer(long number, long bytes) {
    return to -> to.rts(number, bytes, 0, new byte[0]);
  }

  private static ToIntFunction<WireWriter> announce(int slot, int first, int count) {
    return to -> {
      to.addRun(slot, first, count);
      return to.notifyRuns();
    };
  }

  private Control.Cts place(long bytes) {
    mallory.say(offer(1, bytes));
    rig.until(() -> mallory.places().size() == 1, SOON);
    return mallory.places().getFirst();
  }

  @Test
  void aMessageThatIsOfferedTwice() {
    open();
    place(10_000);
    assertThatThisEndsItsSession(offer(1, 10_000));
  }

  @Test
  void aMessageOfNoBytesThatIsOffered() {
    open();
    assertThatThisEndsItsSession(offer(1, 0));
  }

  @Test
  void moreMessagesThanWereAskedFor() {
    open();
    for (int number = 1; number <= MAX_MESSAGES; number++) {
      mallory.say(offer(number, BUDGET));
    }
    rig.until(() -> mallory.places().size() == 1, SOON);
    assertThat(mallory.hasEnded()).isFalse();
    assertThatThisEndsItsSession(offer(MAX_MESSAGES + 1, BUDGET));
  }

  @Test
  void aMessageLargerThanAllMemoryIsRefusedAndTheSessionGoesOn() {
    open();
    mallory.say(offer(1, Long.MAX_VALUE));
    mallory.say(to -> to.cancel(1));
    mallory.say(offer(2, CHUNK));
    rig.until(() -> mallory.places().size() == 1, SOON);
    assertThat(mallory.places().getFirst().seq()).isEqualTo(2);
  }

  @Test
  void chunksThatAMessageHasNot() {
    open();
    Control.Cts place = place(3 * CHUNK);
    mallory.sayWith(0, announce(place.slot(), 1, 2));
    mallory.sayWith(0, announce(place.slot(), 2, 2));
    rig.until(mallory::hasEnded, SOON);
  }

  @Test
  void chunksOfAMessageThatIsNotThereAreForgotten() {
    open();
    mallory.sayWith(0, announce(0x10003, 0, 5));
    Control.Cts place = place(CHUNK);
    mallory.sayWith(0, announce(place.slot() ^ 0x10000, 0, 1));
    rig.fabric.runFor(Duration.ofMillis(50));
    assertThat(mallory.hasEnded()).isFalse();
  }

  @Test
  void bytesBeyondThePlaceOfAMessage() {
    open();
    Control.Cts place = place(CHUNK);
    mallory.write(place.address() + 1, place.rkey(), CHUNK);
    rig.until(mallory::hasEnded, SOON);
  }

  @Test
  void aControlMessageFarAheadOfTheOthers() {
    open();
    mallory.sayWith(1L << 40, to -> to.bye());
    rig.until(mallory::hasEnded, SOON);
  }

  @Test
  void aFenceOfAPathThatIsNotThere() {
    open();
    assertThatThisEndsItsSession(to -> to.fence(63, 5));
  }

  @Test
  void anAnswerToNoFence() {
    open();
    assertThatThisEndsItsSession(to -> to.fenced(0, 0, 7));
  }

  @Test
  void aWrongProofAfterTheRightOne() {
    open();
    assertThatThisEndsItsSession(to -> to.confirm(new byte[32]));
  }

  @Test
  void aMessageWithoutItsNumber() {
    open();
    mallory.sayWith(0, to -> to.cancel(1));
    rig.until(mallory::hasEnded, SOON);
  }

  @Test
  void silenceIsFoundByKeepAlive() {
    open();
    rig.blackHole(0, true);
    rig.until(() -> server.connections().size() == 1, SOON);
    rig.blackHole(0, false);
  }

  /** Well-formed and broken messages without any sense, in any order. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100, 200, 300})
  void anythingAtAll(int first) {
    open();
    for (int seed = first; seed < first + 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int count = random.nextInt(1, 30); count > 0; count--) {
        Nonsense.say(mallory, random);
        rig.fabric.runFor(Duration.ofNanos(random.nextLong(200_000)));
      }
      if (mallory.hasEnded()) {
        again();
      }
    }
  }

  /** A session for mallory. */
  private void again() {
    int before = accepted.size();
    mallory = new HostilePeer(device, arena, "between us");
    InetSocketAddress from = new InetSocketAddress(InetAddress.ofLiteral(SimRig.CLIENT + 1), 0);
    mallory.connect(from, binding.addresses().getFirst(), mallory.request());
    rig.until(mallory::isSettled, SOON);
    mallory.say(to -> to.confirm(mallory.keys().confirmProof()));
    rig.until(() -> accepted.size() == before + 1, SOON);
  }
}
