package io.maestro.verbs.iwarp;

import static io.maestro.verbs.iwarp.WireBytes.concat;
import static io.maestro.verbs.iwarp.WireBytes.fpdu;
import static io.maestro.verbs.iwarp.WireBytes.readRequest;
import static io.maestro.verbs.iwarp.WireBytes.send;
import static io.maestro.verbs.iwarp.WireBytes.tagged;
import static io.maestro.verbs.iwarp.WireBytes.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.VerbsException.Kind;
import io.maestro.verbs.WcStatus;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a peer that speaks by hand gets placed, however its bytes are cut. */
class WirePlacementTest {
  private final WireFixture fixture = new WireFixture();
  private final int stag = fixture.target.rkey();
  private final long address = fixture.target.remoteAddress();

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyCutOfTheStreamPlacesTheSameBytes(boolean checksum) throws Exception {
    byte[] payload = random(97, 1);
    byte[] stream =
        concat(
            fpdu(checksum, write(stag, address + 3, payload)),
            fpdu(checksum, tagged(0x81, WireBytes.WRITE, stag, address + 200, payload)),
            fpdu(checksum, readRequest(1, 5, stag, address + 3)),
            fpdu(checksum, write(stag, address, new byte[0])),
            fpdu(checksum, send(1, Arrays.copyOf(payload, 11))));
    for (int cut = 1; cut < stream.length; cut++) {
      fixture.memory.fill((byte) 0);
      try (RawPeer peer = RawPeer.established(fixture.listener.local(), checksum)) {
        peer.send(Arrays.copyOf(stream, cut));
        WireFixture.Accepted end = fixture.nextAccepted();
        peer.send(Arrays.copyOfRange(stream, cut, stream.length));
        assertThat(end.nextReceived())
            .as("cut at %d", cut)
            .isEqualTo(new WireFixture.Received(WcStatus.SUCCESS, 11));
        assertResponse(peer.receiveUlpdu(), Arrays.copyOf(payload, 5));
        assertThat(bytes(3, 97)).isEqualTo(payload);
        assertThat(bytes(200, 97)).isEqualTo(payload);
        assertThat(bytes(100, 100)).containsOnly(0);
      }
    }
    assertThat(fixture.guardsAreUntouched()).isTrue();
  }

  private static void assertResponse(ByteBuffer ulpdu, byte[] payload) {
    assertThat(ulpdu)
        .isEqualTo(
            ByteBuffer.wrap(
                tagged(0xC1, WireBytes.READ_RESPONSE, 0x0BADCAFE, 0x1122334455667788L, payload)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStreamOfSingleBytesIsPlaced(boolean checksum) throws Exception {
    byte[] payload = random(5000, 2);
    byte[] stream =
        concat(fpdu(checksum, write(stag, address, payload)), fpdu(checksum, send(1, (byte) 1)));
    try (RawPeer peer = RawPeer.established(fixture.listener.local(), checksum)) {
      for (byte single : stream) {
        peer.send(new byte[] {single});
      }
      assertThat(fixture.nextAccepted().nextReceived().bytes()).isEqualTo(1);
      assertThat(bytes(0, 5000)).isEqualTo(payload);
    }
  }

  @Test
  void aLongestFpduIsPlaced() throws Exception {
    byte[] payload = random(65_535 - 14, 3);
    for (boolean checksum : new boolean[] {false, true}) {
      fixture.memory.fill((byte) 0);
      try (RawPeer peer = RawPeer.established(fixture.listener.local(), checksum)) {
        peer.send(fpdu(checksum, write(stag, address, payload)));
        peer.send(fpdu(checksum, send(1)));
        assertThat(fixture.nextAccepted().nextReceived().bytes()).isZero();
        assertThat(bytes(0, payload.length)).isEqualTo(payload);
      }
    }
  }

  @Test
  void aSendOfSeveralSegmentsIsOneMessage() throws Exception {
    try (RawPeer peer = RawPeer.established(fixture.listener.local(), false)) {
      byte[] first = WireBytes.untagged(WireBytes.SEND, 0, 1, 0, new byte[] {1, 2, 3});
      first[0] = 0x01;
      peer.send(fpdu(false, first));
      peer.send(fpdu(false, WireBytes.untagged(WireBytes.SEND, 0, 1, 3, new byte[] {4, 5})));
      assertThat(fixture.nextAccepted().nextReceived().bytes()).isEqualTo(5);
      assertThat(fixture.receives.memory().asSlice(0, 5).toArray(ValueLayout.JAVA_BYTE))
          .containsExactly(1, 2, 3, 4, 5);
    }
  }

  @Test
  void nothingOfAnFpduWithAWrongCrcIsPlaced() throws Exception {
    byte[] fpdu = fpdu(true, write(stag, address, random(1000, 4)));
    for (int broken : new int[] {0, 5, 17, 500, fpdu.length - 1}) {
      byte[] copy = fpdu.clone();
      // Broken at 0: the length, so that the CRC is looked for at a wrong place.
      copy[Math.max(1, broken)] ^= (byte) (broken == 0 ? 4 : 1);
      try (RawPeer peer = RawPeer.established(fixture.listener.local(), true)) {
        peer.send(copy);
        assertThat(peer.receiveTerminate()).isEqualTo(0x2002);
        assertThat(fixture.nextAccepted().closedKind()).isEqualTo(Kind.PROTOCOL);
      }
    }
    assertThat(bytes(0, 1000)).containsOnly(0);
  }

  @Test
  void theEndOfTheStreamIsInOrderBetweenMessagesOnly() throws Exception {
    byte[] fpdu = fpdu(false, write(stag, address, random(10, 5)));
    for (int length = 0; length <= fpdu.length; length++) {
      try (RawPeer peer = RawPeer.established(fixture.listener.local(), false)) {
        peer.send(Arrays.copyOf(fpdu, length));
        peer.endOutput();
        boolean between = length == 0 || length == fpdu.length;
        assertThat(fixture.nextAccepted().closedKind())
            .as("ended after %d bytes", length)
            .isEqualTo(between ? Kind.PEER_CLOSED : Kind.CONNECTION_LOST);
      }
    }
  }

  @Test
  void aRegionClosedUnderAWriteTakesNoMore() throws Exception {
    byte[] fpdu = fpdu(false, write(stag, address, random(60_000, 6)));
    try (RawPeer peer = RawPeer.established(fixture.listener.local(), false)) {
      WireFixture.Accepted end = fixture.nextAccepted();
      peer.send(fpdu(false, send(1)));
      peer.send(Arrays.copyOf(fpdu, 30_000));
      end.nextReceived();
      fixture.target.close();
      peer.sendAnyway(Arrays.copyOfRange(fpdu, 30_000, 59_000));
      assertThat(peer.receiveTerminate()).isEqualTo(0x1100);
      assertThat(end.closedKind()).isEqualTo(Kind.REMOTE_ACCESS);
      assertThat(bytes(40_000, 20_000)).containsOnly(0);
    }
  }

  private byte[] bytes(int from, int length) {
    return fixture.memory.asSlice(from, length).toArray(ValueLayout.JAVA_BYTE);
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
