package io.maestro.session;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** The accepting side of any number of sessions. Any thread. */
final class ServerHandshake {
  private final HandshakeSecret secret;
  private final String name;
  private final SessionParameters own;
  private final SecureRandom random;

  /**
   * @param secret what both peers know, possibly empty
   * @param name this side's name, at most 64 bytes of UTF-8
   */
  ServerHandshake(String secret, String name, SessionParameters own, SecureRandom random) {
    this.secret = HandshakeSecret.of(secret);
    this.name = HandshakeFormat.requireName(name);
    this.own = own;
    this.random = random;
  }

  /**
   * The answer to a CONNECT of a peer that knows the secret, and the keys of its new session.
   *
   * @throws HandshakeException when it is malformed or made with another secret
   */
  ServerAccept onConnect(ByteBuffer connect) {
    ByteBuffer message = HandshakeFormat.open(HandshakeFormat.CONNECT, connect);
    byte[] mac = secret.mac(HandshakeFormat.CONNECT, HandshakeFormat.signed(message));
    HandshakeFormat.check(
        HandshakeSecret.matches(mac, HandshakeFormat.mac(message)),
        "the peer does not know our secret: set the same one on both sides");
    return answer(message, HandshakeFormat.readHello(message));
  }

  private ServerAccept answer(ByteBuffer connect, HandshakeFormat.Hello peer) {
    SessionParameters agreed = own.agree(peer.parameters());
    SessionId id = new SessionId(random.nextLong(), random.nextLong());
    ByteBuffer nonce = HandshakeFormat.nonce(random);
    HandshakeSecret session = secret.ofSession(peer.nonce(), nonce, id);
    ByteBuffer message =
        HandshakeFormat.hello(
            HandshakeFormat.ACCEPT, new HandshakeFormat.Hello(id, nonce, agreed, name));
    byte[] mac = session.mac(HandshakeFormat.ACCEPT, connect, HandshakeFormat.signed(message));
    ByteBuffer accept = HandshakeFormat.seal(message, mac);
    byte[] confirm = session.mac(HandshakeFormat.CONFIRM, connect, accept);
    var seen = new HandshakeFormat.Hello(id, peer.nonce(), agreed, peer.name());
    return new ServerAccept(accept, new SessionKeys(seen, session, confirm, random));
  }

  @Override
  public String toString() {
    return "ServerHandshake[" + own + "]";
  }
}
