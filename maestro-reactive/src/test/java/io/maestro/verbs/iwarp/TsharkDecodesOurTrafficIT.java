package io.maestro.verbs.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.testing.Prerequisite;
import io.maestro.verbs.Access;
import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.VerbsException.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An independent implementation reads what goes over the wire, and finds what was posted. */
@Tag("system")
class TsharkDecodesOurTrafficIT {
  private static final int[] WRITES = {1, 3, 1000, 51_200, 51_199, 61_440, 51_200, 4096, 51_200};
  private static final int SEND_BYTES = 61;
  private static final int READ_BYTES = 5001;
  private static final int LARGE_BYTES = 130_000;

  @BeforeEach
  void require() {
    Prerequisite.requireAll(
        Prerequisite.linux(),
        Prerequisite.root(),
        Prerequisite.command("tshark"),
        Prerequisite.command("dumpcap"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyFpduIsDecodedAsItWasPosted(boolean checksum) throws Exception {
    try (WireFixture passive = new WireFixture();
        Arena arena = Arena.ofShared();
        Device device = new IwarpProvider().open(new DeviceOptions(1, checksum, false));
        Capture capture = Capture.start(passive.listener.local().getPort())) {
      ProtectionDomain domain = device.allocateDomain();
      MemoryRegion here = domain.register(arena.allocate(1 << 20), EnumSet.allOf(Access.class));
      MemoryRegion there =
          passive.domain.register(arena.allocate(1 << 20), EnumSet.allOf(Access.class));
      byte[] content = new byte[1 << 20];
      new Random(1).nextBytes(content);
      here.memory().copyFrom(MemorySegment.ofArray(content));
      WireFixture.Accepted active = passive.new Accepted();
      QpOptions qp = new QpOptions(domain, device.loops().getFirst(), 32, 1, 2);
      QueuePair connected = connect(device, qp, passive, active);
      int port = connected.local().getPort();
      List<Capture.Fpdu> expected = new ArrayList<>();
      expected.add(new Capture.Fpdu(port, Wire.WRITE, 0, 0, 14));
      connected.loop().execute(() -> post(connected, here, there, expected));
      for (int i = 0; i < WRITES.length + 3; i++) {
        active.nextReceived();
      }
      connected.loop().execute(() -> violate(connected, here, there, expected));
      assertThat(active.closedKind()).isEqualTo(Kind.REMOTE_ACCESS);
      capture.stopAfterTheEndOf("tcp.flags.fin == 1", 2);
      assertThat(capture.complaints()).isEmpty();
      List<Capture.Fpdu> seen = capture.fpdus();
      assertThat(capture.goodChecksums()).isEqualTo(checksum ? seen.size() : 0);
      assertThat(seen.stream().filter(fpdu -> fpdu.fromPort() == port))
          .containsExactlyElementsOf(expected);
      int peer = passive.listener.local().getPort();
      assertThat(seen.stream().filter(fpdu -> fpdu.fromPort() == peer))
          .containsExactlyElementsOf(answers(peer, here));
    }
  }

  /** What the passive side sends: the bytes that were read, and what it thinks of the violation. */
  private static List<Capture.Fpdu> answers(int peer, MemoryRegion here) {
    return List.of(
        new Capture.Fpdu(
            peer,
            Wire.READ_RESPONSE,
            Integer.toUnsignedLong(here.rkey()),
            here.remoteAddress() + 7,
            14 + READ_BYTES),
        new Capture.Fpdu(peer, Wire.TERMINATE, Wire.TERMINATE_QUEUE, 1, 18 + 4 + 2 + 14));
  }

  private static QueuePair connect(
      Device device, QpOptions qp, WireFixture passive, WireFixture.Accepted active)
      throws InterruptedException {
    device.connect(
        new ConnectOptions(
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
            passive.listener.local(),
            qp,
            ByteBuffer.allocate(0),
            TimeUnit.SECONDS.toNanos(10)),
        active);
    QueuePair connected = active.established.poll(10, TimeUnit.SECONDS);
    assertThat(connected).isNotNull();
    return connected;
  }

  /** Posts one of everything, and notes what must be seen of it. */
  private static void post(
      QueuePair qp, MemoryRegion here, MemoryRegion there, List<Capture.Fpdu> expected) {
    int port = qp.local().getPort();
    long key = Integer.toUnsignedLong(there.rkey());
    long to = there.remoteAddress();
    for (int bytes : WRITES) {
      qp.postWrite(1, here, 100, bytes, to, there.rkey());
      expected.add(new Capture.Fpdu(port, Wire.WRITE, key, to, 14 + bytes));
      to += bytes;
    }
    qp.postSend(2, here, 0, SEND_BYTES);
    expected.add(new Capture.Fpdu(port, Wire.SEND, Wire.SEND_QUEUE, 1, 18 + SEND_BYTES));
    qp.postRead(3, here, 7, READ_BYTES, there.remoteAddress(), there.rkey());
    expected.add(new Capture.Fpdu(port, Wire.READ_REQUEST, Wire.READ_REQUEST_QUEUE, 1, 18 + 28));
    qp.postWrite(4, here, 0, LARGE_BYTES, there.remoteAddress(), there.rkey());
    for (int sent = 0; sent < LARGE_BYTES; sent += Wire.MAX_SEGMENT_BYTES) {
      int bytes = Math.min(Wire.MAX_SEGMENT_BYTES, LARGE_BYTES - sent);
      expected.add(
          new Capture.Fpdu(port, Wire.WRITE, key, there.remoteAddress() + sent, 14 + bytes));
    }
    qp.flush();
  }

  private static void violate(
      QueuePair qp, MemoryRegion here, MemoryRegion there, List<Capture.Fpdu> expected) {
    int port = qp.local().getPort();
    long key = Integer.toUnsignedLong(there.rkey());
    long outside = there.remoteAddress() + there.memory().byteSize();
    qp.postWrite(5, here, 0, 1, outside, there.rkey());
    expected.add(new Capture.Fpdu(port, Wire.WRITE, key, outside, 15));
    qp.flush();
  }
}
