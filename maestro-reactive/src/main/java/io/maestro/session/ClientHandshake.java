package io.maestro.session;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** The connecting side of one attempt to open a session. Not thread-safe. */
final class ClientHandshake {
  private final HandshakeSecret secret;
  private final SessionParameters offer;
  private final SecureRandom random;
  private final ByteBuffer nonce;
  private final ByteBuffer connect;

  /**
   * @param secret what both peers know, possibly empty
   * @param name this side's name, at most 64 bytes of UTF-8
   */
  ClientHandshake(String secret, String name, SessionParameters offer, SecureRandom random) {
    this.secret = HandshakeSecret.of(secret);
    this.offer = offer;
    this.random = random;
    this.nonce = HandshakeFormat.nonce(random);
    ByteBuffer message =
        HandshakeFormat.hello(
            HandshakeFormat.CONNECT,
            new HandshakeFormat.Hello(
                new SessionId(0, 0), nonce, offer, HandshakeFormat.requireName(name)));
    byte[] mac = this.secret.mac(HandshakeFormat.CONNECT, HandshakeFormat.signed(message));
    this.connect = HandshakeFormat.seal(message, mac);
  }

  /** The CONNECT to send as private data, read-only, at most 256 bytes. */
  ByteBuffer connect() {
    return connect.duplicate();
  }

  /**
   * The keys of the session that the peer has opened.
   *
   * @throws HandshakeException when it is no answer to this CONNECT from somebody with the secret
   */
  SessionKeys onAccept(ByteBuffer accept) {
    ByteBuffer message = HandshakeFormat.open(HandshakeFormat.ACCEPT, accept);
    HandshakeFormat.Hello hello = HandshakeFormat.readHello(message);
    HandshakeSecret session = secret.ofSession(nonce, hello.nonce(), hello.id());
    byte[] mac = session.mac(HandshakeFormat.ACCEPT, connect, HandshakeFormat.signed(message));
    HandshakeFormat.check(
        HandshakeSecret.matches(mac, HandshakeFormat.mac(message)),
        "the peer does not know our secret: set the same one on both sides");
    HandshakeFormat.check(
        hello.parameters().answers(offer),
        "the peer's %s exceed our %s".formatted(hello.parameters(), offer));
    return new SessionKeys(
        hello, session, session.mac(HandshakeFormat.CONFIRM, connect, message), random);
  }

  @Override
  public String toString() {
    return "ClientHandshake[" + offer + "]";
  }
}
