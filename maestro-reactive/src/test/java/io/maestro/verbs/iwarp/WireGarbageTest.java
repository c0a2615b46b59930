package io.maestro.verbs.iwarp;

import static io.maestro.verbs.iwarp.WireBytes.concat;
import static io.maestro.verbs.iwarp.WireBytes.fpdu;
import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.VerbsException;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Random bytes and randomly broken streams: nothing hangs, grows or lands outside its region. */
class WireGarbageTest {
  private static final int CASES = 1500;

  private final WireFixture fixture = new WireFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void garbageInsteadOfARequestIsClosed() throws IOException {
    for (int seed = 0; seed < CASES; seed++) {
      byte[] garbage = new byte[20 + new Random(seed).nextInt(200)];
      new Random(seed).nextBytes(garbage);
      try (RawPeer peer = RawPeer.to(fixture.listener.local())) {
        peer.sendAnyway(garbage);
        assertThat(peer.isEnded()).as("seed %d", seed).isTrue();
      }
    }
    assertThat(fixture.accepted).isEmpty();
  }

  @Test
  void garbageInsteadOfSegmentsEndsTheConnection() throws Exception {
    for (int seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      byte[] garbage = new byte[1 + random.nextInt(300)];
      random.nextBytes(garbage);
      play(seed, random.nextBoolean(), garbage);
    }
  }

  @Test
  void brokenStreamsEndTheConnectionOrHarmNobody() throws Exception {
    for (int seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      boolean checksum = random.nextInt(4) == 0;
      byte[] stream = stream(checksum, random);
      for (int i = random.nextInt(3); i >= 0; i--) {
        stream[random.nextInt(stream.length)] ^= (byte) (1 << random.nextInt(8));
      }
      play(seed, checksum, stream);
    }
  }

  private byte[] stream(boolean checksum, Random random) {
    int stag = fixture.target.rkey();
    long address = fixture.target.remoteAddress();
    byte[] payload = new byte[random.nextInt(100)];
    return concat(
        fpdu(checksum, WireBytes.write(stag, address + random.nextInt(1000), payload)),
        fpdu(checksum, WireBytes.send(1, new byte[random.nextInt(60)])),
        fpdu(checksum, WireBytes.readRequest(1, random.nextInt(100), stag, address)),
        fpdu(checksum, WireBytes.write(stag, address, new byte[1])));
  }

  private void play(int seed, boolean checksum, byte[] stream) throws Exception {
    try (RawPeer peer = RawPeer.established(fixture.listener.local(), checksum)) {
      WireFixture.Accepted end = fixture.nextAccepted();
      peer.sendAnyway(stream);
      peer.endOutput();
      assertThat(peer.isEnded()).as("seed %d: the peer sees an end", seed).isTrue();
      VerbsException cause = end.closed.poll(10, TimeUnit.SECONDS);
      assertThat(cause).as("seed %d: the queue pair ends", seed).isNotNull();
      assertThat(cause.kind())
          .as("seed %d", seed)
          .isIn(
              VerbsException.Kind.PROTOCOL,
              VerbsException.Kind.REMOTE_ACCESS,
              VerbsException.Kind.CONNECTION_LOST,
              VerbsException.Kind.PEER_CLOSED);
      assertThat(end.received).as("seed %d: each receive once", seed).hasSize(4);
    }
    assertThat(fixture.guardsAreUntouched()).as("seed %d", seed).isTrue();
  }
}
