package io.maestro.session;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Consumer;

/**
 * The private data of connections as a target of fuzzing: strangers' bytes are refused by a typed
 * exception, whatever they are taken for, and what is well-formed is written in the same way.
 */
public final class HandshakeFuzz {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final SessionParameters OFFER =
      new SessionParameters(51_200, 16_384, 64, 4, 2_000_000_000L);
  private static final ServerHandshake SERVER =
      new ServerHandshake("between us", "server", OFFER, RANDOM);
  private static final ClientHandshake CLIENT =
      new ClientHandshake("between us", "client", OFFER, RANDOM);
  private static final SessionKeys KEYS = SERVER.onConnect(CLIENT.connect()).keys();

  private static final List<Consumer<ByteBuffer>> AUTHENTICATED =
      List.of(
          SERVER::onConnect,
          CLIENT::onAccept,
          KEYS::verifyJoin,
          KEYS::verifyMeter,
          bytes -> KEYS.readMeterAccept(KEYS.meter(), bytes));

  private HandshakeFuzz() {}

  /** Runs one input; throws when it does what it must not. */
  public static void fuzzerTestOneInput(byte[] input) {
    ByteBuffer bytes = ByteBuffer.wrap(input).asReadOnlyBuffer();
    for (Consumer<ByteBuffer> reader : AUTHENTICATED) {
      if (isTaken(reader, bytes)) {
        throw new AssertionError("a stranger's message was taken");
      }
    }
    require(!KEYS.isJoinAccept(KEYS.join(1, 1), bytes), "a stranger's answer was taken");
    require(!KEYS.isConfirm(bytes), "a stranger's proof was taken");
    SessionKeys.kindOf(bytes);
    isTaken(SessionKeys::sessionOf, bytes);
    isTaken(SessionKeys::sessionOfMeter, bytes);
    isTaken(HandshakeFuzz::readAndWrite, bytes);
  }

  private static boolean isTaken(Consumer<ByteBuffer> reader, ByteBuffer bytes) {
    try {
      reader.accept(bytes);
      return true;
    } catch (HandshakeException refused) {
      return false;
    }
  }

  /** What comes before the MAC has been checked, or after somebody with the secret has made it. */
  private static void readAndWrite(ByteBuffer bytes) {
    ByteBuffer message = HandshakeFormat.open(HandshakeFormat.CONNECT, bytes);
    HandshakeFormat.Hello hello = HandshakeFormat.readHello(message);
    ByteBuffer again = HandshakeFormat.hello(HandshakeFormat.CONNECT, hello).flip();
    require(
        again.equals(HandshakeFormat.signed(message)),
        hello + " is written in another way than it was read");
  }

  private static void require(boolean holds, String text) {
    if (!holds) {
      throw new AssertionError(text);
    }
  }
}
