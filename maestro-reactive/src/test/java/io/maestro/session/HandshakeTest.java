package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class HandshakeTest {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final SessionParameters OFFER =
      new SessionParameters(50 * 1024, 16 * 1024, 64, 4, 2_000_000_000L);
  private static final SessionParameters OWN =
      new SessionParameters(64 * 1024, 8 * 1024, 32, 2, 1_000_000_001L);

  private final ClientHandshake client = client("s3cret");
  private final ServerAccept server = server("s3cret").onConnect(client.connect());
  private final SessionKeys keys = client.onAccept(server.accept());

  private static ClientHandshake client(String secret) {
    return new ClientHandshake(secret, "worker-ä", OFFER, RANDOM);
  }

  private static ServerHandshake server(String secret) {
    return new ServerHandshake(secret, "server", OWN, RANDOM);
  }

  @Test
  void bothSidesOpenTheSameSessionWithTheSmallerLimitsAndThePathsOfTheClient() {
    assertThat(keys.id()).isEqualTo(server.keys().id());
    assertThat(keys.parameters())
        .isEqualTo(server.keys().parameters())
        .isEqualTo(new SessionParameters(50 * 1024, 8 * 1024, 32, 4, 1_000_000_001L));
    assertThat(keys.peerName()).isEqualTo("server");
    assertThat(server.keys().peerName()).isEqualTo("worker-ä");
  }

  @Test
  void theClientProvesThatItKnowsTheSession() {
    assertThat(server.keys().isConfirm(ByteBuffer.wrap(keys.confirmProof()))).isTrue();
    assertThat(server.keys().isConfirm(ByteBuffer.allocate(32))).isFalse();
    assertThat(server.keys().isConfirm(ByteBuffer.allocate(0))).isFalse();
  }

  @Test
  void aReplayedConnectOpensASessionThatTheOldProofDoesNotConfirm() {
    ServerAccept replayed = server("s3cret").onConnect(client.connect());
    assertThat(replayed.keys().isConfirm(ByteBuffer.wrap(keys.confirmProof()))).isFalse();
    assertThat(replayed.keys().id()).isNotEqualTo(keys.id());
  }

  @Test
  void aMeasurementIsAuthenticatedByTheSessionOnBothSides() {
    ByteBuffer meter = keys.meter();
    assertThat(SessionKeys.kindOf(meter)).isEqualTo(HandshakeKind.METER);
    assertThat(SessionKeys.sessionOfMeter(meter)).isEqualTo(keys.id());
    MeterTarget target = new MeterTarget(1L << 40, -7, 65536);
    ByteBuffer answer = server.keys().meterAccept(server.keys().verifyMeter(meter), target);
    assertThat(keys.readMeterAccept(meter, answer)).isEqualTo(target);
    SessionKeys stranger = server("s3cret").onConnect(client.connect()).keys();
    assertRefused(() -> stranger.verifyMeter(meter), "does not belong to session");
    assertRefused(() -> keys.readMeterAccept(keys.meter(), answer), "the session's secret");
  }

  @Test
  void anotherSecretIsRefusedByBothSides() {
    assertRefused(() -> server("other").onConnect(client.connect()), "set the same one");
    ServerAccept other = server("other").onConnect(client("other").connect());
    assertRefused(() -> client.onAccept(other.accept()), "set the same one");
  }

  @Test
  void anAnswerToAnotherConnectIsRefused() {
    assertRefused(() -> client("s3cret").onAccept(server.accept()), "set the same one");
  }

  @Test
  void noSecretIsASecretToo() {
    ServerAccept open = server("").onConnect(client("").connect());
    assertThat(open.keys().peerName()).isEqualTo("worker-ä");
    assertRefused(() -> server("").onConnect(client.connect()), "set the same one");
  }

  @Test
  void aJoinPassesOnceAndIsAnswered() {
    ByteBuffer join = keys.join(3, 7);
    assertThat(SessionKeys.sessionOf(join)).isEqualTo(keys.id());
    Join verified = server.keys().verifyJoin(join);
    assertThat(verified.pathId()).isEqualTo(3);
    assertThat(verified.generation()).isEqualTo(7);
    ByteBuffer answer = server.keys().joinAccept(verified);
    assertThat(keys.isJoinAccept(join, answer)).isTrue();
    assertThat(keys.isJoinAccept(keys.join(3, 7), answer)).isFalse();
    assertThat(keys.isJoinAccept(join, ByteBuffer.allocate(40))).isFalse();
    assertRefused(() -> server.keys().verifyJoin(join), "used before");
  }

  @Test
  void theGenerationsOfAPathOnlyGrowAndAreUnsigned() {
    SessionKeys accepting = server.keys();
    assertRefused(() -> accepting.verifyJoin(keys.join(0, 0)), "used before");
    accepting.verifyJoin(keys.join(0, 1));
    accepting.verifyJoin(keys.join(1, 0));
    accepting.verifyJoin(keys.join(1, Integer.MAX_VALUE));
    accepting.verifyJoin(keys.join(1, Integer.MIN_VALUE));
    accepting.verifyJoin(keys.join(1, -1));
    assertRefused(() -> accepting.verifyJoin(keys.join(1, -1)), "used before");
    assertRefused(() -> accepting.verifyJoin(keys.join(1, 5)), "used before");
  }

  @Test
  void aJoinOfAnotherSessionIsRefusedAndUsesUpNothing() {
    SessionKeys stranger = server("s3cret").onConnect(client.connect()).keys();
    assertRefused(() -> server.keys().verifyJoin(stranger.join(2, 9)), "does not belong");
    assertThat(server.keys().verifyJoin(keys.join(2, 1)).generation()).isEqualTo(1);
  }

  @Test
  void everyFlippedBitIsRefused() {
    assertEveryFlipRefused(client.connect(), bytes -> server("s3cret").onConnect(bytes));
    assertEveryFlipRefused(server.accept(), client::onAccept);
    assertEveryFlipRefused(keys.join(1, 1), bytes -> server.keys().verifyJoin(bytes));
  }

  private static void assertEveryFlipRefused(ByteBuffer message, Consumer<ByteBuffer> decoder) {
    for (int bit = 0; bit < message.remaining() * 8; bit++) {
      ByteBuffer flipped = ByteBuffer.allocate(message.remaining()).put(message.duplicate()).flip();
      flipped.put(bit / 8, (byte) (flipped.get(bit / 8) ^ 1 << bit % 8));
      assertThatThrownBy(() -> decoder.accept(flipped))
          .as("bit %d", bit)
          .isInstanceOf(HandshakeException.class);
    }
  }

  @Test
  void randomBytesAreRefusedWithAReason() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 30_000; i++) {
      ByteBuffer bytes =
          mutation(random, random.nextBoolean() ? client.connect() : server.accept());
      SessionKeys.kindOf(bytes);
      keys.isJoinAccept(bytes, bytes);
      assertRefusedOnly(() -> server("s3cret").onConnect(bytes), seed);
      assertRefusedOnly(() -> client.onAccept(bytes), seed);
      assertRefusedOnly(() -> server.keys().verifyJoin(bytes), seed);
      assertRefusedOnly(() -> SessionKeys.sessionOf(bytes), seed);
    }
  }

  /** Random bytes, or the head of a message with random bytes after it. */
  private static ByteBuffer mutation(SplittableRandom random, ByteBuffer message) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    int kept = Math.min(random.nextInt(message.remaining()), bytes.length);
    message.duplicate().get(bytes, 0, kept);
    if (kept > 6) {
      bytes[6] = (byte) random.nextInt(6);
    }
    return ByteBuffer.wrap(bytes);
  }

  private static void assertRefusedOnly(Runnable decoder, long seed) {
    try {
      decoder.run();
    } catch (HandshakeException e) {
      assertThat(e).as("seed %d", seed).hasMessageStartingWith("handshake: ");
    }
  }

  @Test
  void paddingOfZerosIsIgnoredAndOtherBytesAreNot() {
    ByteBuffer padded = ByteBuffer.allocate(512).put(client.connect()).position(0);
    assertThat(server("s3cret").onConnect(padded).keys().peerName()).isEqualTo("worker-ä");
    padded.put(511, (byte) 1);
    assertRefused(() -> server("s3cret").onConnect(padded), "bytes follow");
  }

  @Test
  void theKindsAreToldApart() {
    assertThat(SessionKeys.kindOf(client.connect())).isEqualTo(HandshakeKind.CONNECT);
    assertThat(SessionKeys.kindOf(keys.join(1, 1))).isEqualTo(HandshakeKind.JOIN);
    assertThat(SessionKeys.kindOf(server.accept())).isEqualTo(HandshakeKind.UNKNOWN);
    assertThat(SessionKeys.kindOf(ByteBuffer.allocate(0))).isEqualTo(HandshakeKind.UNKNOWN);
  }

  @Test
  void anotherVersionIsRefusedByItsNumber() {
    ByteBuffer later = ByteBuffer.allocate(512).put(client.connect()).flip().putShort(4, (short) 9);
    assertThat(SessionKeys.kindOf(later)).isEqualTo(HandshakeKind.CONNECT);
    assertRefused(() -> server("s3cret").onConnect(later), "version 9");
  }

  @Test
  void messagesFitIntoPrivateDataWithTheLongestName() {
    String name = "n".repeat(64);
    ClientHandshake longest = new ClientHandshake("s", name, OFFER, RANDOM);
    ServerAccept answer = new ServerHandshake("s", name, OWN, RANDOM).onConnect(longest.connect());
    assertThat(longest.connect().remaining()).isLessThanOrEqualTo(256);
    assertThat(answer.accept().remaining()).isLessThanOrEqualTo(256);
    assertThatThrownBy(() -> new ClientHandshake("s", name + "n", OFFER, RANDOM))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ServerHandshake("s", "two\nlines", OWN, RANDOM))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nothingPrintsASecret() {
    assertThat(client.toString() + server + keys + server("s3cret"))
        .doesNotContain("s3cret")
        .contains("***");
    assertThat(keys.id().toString()).hasSize(9);
  }

  private static void assertRefused(Runnable decoder, String reason) {
    assertThatThrownBy(decoder::run)
        .isInstanceOf(HandshakeException.class)
        .hasMessageContaining(reason);
  }
}
