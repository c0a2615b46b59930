package io.maestro.verbs.iwarp;

import static io.maestro.verbs.iwarp.WireBytes.fpdu;
import static io.maestro.verbs.iwarp.WireBytes.readRequest;
import static io.maestro.verbs.iwarp.WireBytes.send;
import static io.maestro.verbs.iwarp.WireBytes.tagged;
import static io.maestro.verbs.iwarp.WireBytes.untagged;
import static io.maestro.verbs.iwarp.WireBytes.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.Access;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.VerbsException.Kind;
import io.maestro.verbs.WcStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every way to break the rules, and the Terminate of RFC 5040 and 5041 that answers it. */
class WireViolationTest {
  private final WireFixture fixture = new WireFixture();
  private final int stag = fixture.target.rkey();
  private final long address = fixture.target.remoteAddress();
  private RawPeer innocent;
  private WireFixture.Accepted innocentEnd;

  @BeforeEach
  void connectAnInnocent() throws Exception {
    innocent = RawPeer.established(fixture.listener.local(), false);
    innocentEnd = fixture.nextAccepted();
  }

  @AfterEach
  void close() throws IOException {
    innocent.close();
    fixture.close();
  }

  @Test
  void writesAreJudgedByKeyDomainBoundsAndRight() throws Exception {
    ends(Kind.REMOTE_ACCESS, 0x1100, write(stag + 1, address, new byte[8]));
    ends(Kind.REMOTE_ACCESS, 0x1101, write(stag, address - 1, new byte[8]));
    ends(
        Kind.REMOTE_ACCESS,
        0x1101,
        write(stag, address + WireFixture.TARGET_BYTES - 7, new byte[8]));
    ends(Kind.REMOTE_ACCESS, 0x1101, write(stag, Long.MAX_VALUE - 3, new byte[8]));
    ends(Kind.REMOTE_ACCESS, 0x1103, write(stag, -4, new byte[8]));
    MemoryRegion readOnly = fixture.register(EnumSet.of(Access.REMOTE_READ));
    ends(Kind.REMOTE_ACCESS, 0x0102, write(readOnly.rkey(), readOnly.remoteAddress(), new byte[8]));
    try (ProtectionDomain other = fixture.device.allocateDomain()) {
      MemoryRegion foreign = other.register(fixture.memory, EnumSet.allOf(Access.class));
      ends(Kind.REMOTE_ACCESS, 0x1102, write(foreign.rkey(), foreign.remoteAddress(), new byte[8]));
    }
  }

  @Test
  void readsAreJudgedByKeyDomainBoundsAndRight() throws Exception {
    ends(Kind.REMOTE_ACCESS, 0x0100, readRequest(1, 8, stag + 1, address));
    ends(Kind.REMOTE_ACCESS, 0x0101, readRequest(1, 8, stag, address - 1));
    ends(Kind.REMOTE_ACCESS, 0x0101, readRequest(1, WireFixture.TARGET_BYTES + 1, stag, address));
    ends(Kind.REMOTE_ACCESS, 0x0101, readRequest(1, Integer.MIN_VALUE, stag, address));
    ends(Kind.REMOTE_ACCESS, 0x0104, readRequest(1, 8, stag, -4));
    MemoryRegion writeOnly = fixture.register(Set.of(Access.REMOTE_WRITE));
    ends(
        Kind.REMOTE_ACCESS, 0x0102, readRequest(1, 8, writeOnly.rkey(), writeOnly.remoteAddress()));
    try (ProtectionDomain other = fixture.device.allocateDomain()) {
      MemoryRegion foreign = other.register(fixture.memory, EnumSet.allOf(Access.class));
      ends(Kind.REMOTE_ACCESS, 0x0103, readRequest(1, 8, foreign.rkey(), foreign.remoteAddress()));
    }
  }

  @Test
  void untaggedMessagesAreJudgedByQueueSequenceOffsetAndBuffer() throws Exception {
    ends(Kind.PROTOCOL, 0x1201, untagged(WireBytes.SEND, 3, 1, 0));
    ends(Kind.PROTOCOL, 0x1203, send(2));
    ends(Kind.PROTOCOL, 0x1203, send(0));
    ends(Kind.PROTOCOL, 0x1204, untagged(WireBytes.SEND, 0, 1, 4));
    ends(Kind.PROTOCOL, 0x1203, readRequest(2, 8, stag, address));
    ends(Kind.REMOTE_ACCESS, 0x1205, send(1, new byte[WireFixture.RECV_BYTES + 1]));
    byte[] all = new byte[0];
    for (int msn = 1; msn <= WireFixture.RECEIVES + 1; msn++) {
      all = WireBytes.concat(all, fpdu(false, send(msn)));
    }
    endsAfter(Kind.REMOTE_ACCESS, 0x1202, all);
  }

  @Test
  void versionsAndOpcodesAreJudged() throws Exception {
    ends(Kind.PROTOCOL, 0x1104, tagged(0xC0, WireBytes.WRITE, stag, address));
    ends(Kind.PROTOCOL, 0x1104, tagged(0xC2, WireBytes.WRITE, stag, address));
    ends(Kind.PROTOCOL, 0x0205, tagged(0xC1, 0x80, stag, address));
    ends(Kind.PROTOCOL, 0x0206, tagged(0xC1, WireBytes.SEND, stag, address));
    ends(Kind.PROTOCOL, 0x0206, tagged(0xC1, WireBytes.READ_RESPONSE, stag, address, (byte) 1));
    ends(Kind.PROTOCOL, 0x0206, tagged(0xC1, 0x48, stag, address));
    ends(Kind.PROTOCOL, 0x0206, untagged(WireBytes.WRITE, 0, 1, 0));
    ends(Kind.PROTOCOL, 0x0206, untagged(WireBytes.SEND, 1, 1, 0));
    ends(Kind.PROTOCOL, 0x0109, untagged(0x44, 0, 1, 0));
    ends(Kind.PROTOCOL, 0x02FF, untagged(WireBytes.READ_REQUEST, 1, 1, 0, new byte[27]));
  }

  @Test
  void moreReadsThanTheAgreedDepthAreRefused() throws Exception {
    byte[] all = new byte[0];
    for (int msn = 1; msn <= 3; msn++) {
      all = WireBytes.concat(all, fpdu(false, readRequest(msn, 8, stag, address)));
    }
    endsAfter(Kind.REMOTE_ACCESS, 0x1202, all);
  }

  @Test
  void lengthsThatHoldNoHeaderAreRefused() throws Exception {
    endsAfter(Kind.PROTOCOL, 0x2003, new byte[] {0, 13, (byte) 0xC1, 0x40, 0, 0, 0, 0});
    endsAfter(Kind.PROTOCOL, 0x2003, new byte[] {0, 17, 0x41, 0x43, 0, 0, 0, 0});
  }

  @Test
  void aLongSendCompletesItsReceiveWithALengthError() throws Exception {
    try (RawPeer peer = RawPeer.established(fixture.listener.local(), false)) {
      WireFixture.Accepted end = fixture.nextAccepted();
      peer.send(fpdu(false, send(1, new byte[WireFixture.RECV_BYTES + 1])));
      assertThat(end.nextReceived().status()).isEqualTo(WcStatus.LENGTH_ERROR);
      assertThat(end.nextReceived().status()).isEqualTo(WcStatus.FLUSHED);
    }
  }

  @Test
  void theTerminateShowsTheGuiltyHeader() throws Exception {
    try (RawPeer peer = RawPeer.established(fixture.listener.local(), false)) {
      byte[] guilty = readRequest(1, 8, stag + 1, address);
      peer.send(fpdu(false, guilty));
      ByteBuffer terminate = peer.receiveUlpdu();
      assertThat(terminate.getInt(18)).isEqualTo(0x0100E000);
      assertThat(terminate.getShort(22)).isEqualTo((short) guilty.length);
      assertThat(terminate.slice(24, terminate.remaining() - 24))
          .isEqualTo(ByteBuffer.wrap(guilty));
      assertThat(peer.isEnded()).isTrue();
    }
  }

  private void ends(Kind kind, int control, byte[] ulpdu) throws Exception {
    endsAfter(kind, control, fpdu(false, ulpdu));
  }

  /** Only the guilty connection ends, after the Terminate; no byte lands. */
  private void endsAfter(Kind kind, int control, byte[] stream) throws Exception {
    try (RawPeer peer = RawPeer.established(fixture.listener.local(), false)) {
      WireFixture.Accepted end = fixture.nextAccepted();
      peer.send(stream);
      assertThat(peer.receiveTerminate()).as("control of the Terminate").isEqualTo(control);
      assertThat(peer.isEnded()).isTrue();
      assertThat(end.closedKind()).isEqualTo(kind);
    }
    assertThat(fixture.guardsAreUntouched()).isTrue();
    assertThat(innocentEnd.closed).isEmpty();
  }
}
