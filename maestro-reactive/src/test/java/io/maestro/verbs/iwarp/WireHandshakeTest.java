package io.maestro.verbs.iwarp;

import static io.maestro.verbs.iwarp.WireBytes.reply;
import static io.maestro.verbs.iwarp.WireBytes.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.ListenOptions;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.QueuePair;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The accepting side of the MPA start-up against a peer that speaks by hand. */
class WireHandshakeTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
  private static final long TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final int MAX_PENDING = 8;

  private final WireFixture fixture =
      new WireFixture(new ListenOptions(ANY, 128, TIMEOUT_NS, MAX_PENDING));

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void anEnhancedRequestIsAnsweredWithDepthsAndReadyToReceive() throws IOException {
    // IRD 16 with the peer-to-peer bit; ORD 9 with WRITE as ready-to-receive. The fixture has 2.
    assertAnswer(
        request(0x10, 2, (byte) 0x80, (byte) 16, (byte) 0x80, (byte) 9),
        reply(0x10, 2, (byte) 0x80, (byte) 2, (byte) 0x80, (byte) 2));
    assertAnswer(
        request(0x10, 2, (byte) 0, (byte) 1, (byte) 0, (byte) 9),
        reply(0x10, 2, (byte) 0, (byte) 2, (byte) 0, (byte) 1));
  }

  @Test
  void aRequestOfRevision1IsAnsweredInRevision1() throws IOException {
    assertAnswer(request(0, 1, (byte) 7), reply(0, 1));
    assertAnswer(request(0, 2), reply(0, 2));
  }

  @Test
  void aChecksumIsUsedWhenThePeerAsksForIt() throws IOException {
    assertAnswer(request(0x40, 1), reply(0x40, 1));
  }

  @Test
  void markersAreRejected() throws IOException {
    assertAnswer(request(0x80, 1), reply(0x20, 1));
  }

  private void assertAnswer(byte[] request, byte[] reply) throws IOException {
    try (RawPeer peer = RawPeer.to(fixture.listener.local())) {
      peer.send(request);
      assertThat(peer.receive(reply.length)).isEqualTo(reply);
    }
  }

  @Test
  void aRequestMayComeByteByByte() throws IOException {
    try (RawPeer peer = RawPeer.to(fixture.listener.local())) {
      for (byte single : request(0x10, 2, new byte[] {0, 1, 0, 1, 42})) {
        peer.send(new byte[] {single});
      }
      assertThat(peer.receive(24)).startsWith((byte) 0x4D, (byte) 0x50, (byte) 0x41);
    }
  }

  static Stream<byte[]> malformedRequests() {
    byte[] huge = request(0, 1);
    huge[18] = 2;
    huge[19] = 1;
    byte[] enhancedWithoutRoom = request(0x10, 2, new byte[3]);
    return Stream.of(
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII),
        reply(0, 1),
        request(0, 0),
        request(0, 3),
        huge,
        enhancedWithoutRoom,
        Arrays.copyOf(new byte[] {0x16, 3, 1}, 64));
  }

  @ParameterizedTest
  @MethodSource("malformedRequests")
  void aMalformedRequestIsClosedAtOnce(byte[] bytes) throws IOException {
    try (RawPeer peer = RawPeer.to(fixture.listener.local())) {
      peer.sendAnyway(bytes);
      assertThat(peer.isEnded()).isTrue();
    }
    assertThat(fixture.accepted).isEmpty();
  }

  @Test
  void aSlowRequestIsClosedAtItsDeadline() throws IOException {
    try (RawPeer peer = RawPeer.to(fixture.listener.local())) {
      peer.send(Arrays.copyOf(request(0, 1), 19));
      assertThat(peer.isEnded()).isTrue();
    }
    assertThat(fixture.accepted).isEmpty();
  }

  @Test
  void furtherConnectionsThanMayBePendingAreClosedAndLaterOnesWelcome() throws Exception {
    List<RawPeer> slow = new ArrayList<>();
    for (int i = 0; i < MAX_PENDING; i++) {
      slow.add(RawPeer.to(fixture.listener.local()));
    }
    try (RawPeer tooMany = RawPeer.to(fixture.listener.local())) {
      assertThat(tooMany.isEnded()).isTrue();
    }
    for (RawPeer peer : slow) {
      assertThat(peer.isEnded()).isTrue();
      peer.close();
    }
    RawPeer.established(fixture.listener.local(), false).close();
  }

  @Test
  void theAcceptingSideIsSilentUntilThePeerHasSpoken() throws Exception {
    MemoryRegion region = fixture.domain.register(fixture.arena.allocate(4), Set.of());
    try (RawPeer peer = RawPeer.established(fixture.listener.local(), false)) {
      QueuePair qp = fixture.nextAccepted().established.poll(10, TimeUnit.SECONDS);
      qp.loop()
          .execute(
              () -> {
                qp.postSend(1, region, 0, 4);
                qp.flush();
              });
      peer.send(WireBytes.fpdu(false, WireBytes.write(0, 0)));
      ByteBuffer ulpdu = peer.receiveUlpdu();
      assertThat(ulpdu).isEqualTo(ByteBuffer.wrap(WireBytes.send(1, new byte[4])));
    }
  }

  @Test
  void anEmptyFpduIsAReadyToReceiveToo() throws Exception {
    try (RawPeer peer = RawPeer.to(fixture.listener.local())) {
      peer.send(request(0x10, 2, (byte) 0xC0, (byte) 1, (byte) 0, (byte) 1));
      assertThat(peer.receive(24))
          .isEqualTo(reply(0x10, 2, (byte) 0xC0, (byte) 2, (byte) 0, (byte) 1));
      peer.send(new byte[8]);
      peer.send(WireBytes.fpdu(false, WireBytes.send(1)));
      assertThat(fixture.nextAccepted().nextReceived().bytes()).isZero();
    }
  }
}
