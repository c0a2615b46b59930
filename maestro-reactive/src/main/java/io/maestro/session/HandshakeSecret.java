package io.maestro.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * A key that authenticates handshake messages: HMAC-SHA256 (RFC 2104) under keys derived by
 * HKDF-SHA256 (RFC 5869). It proves who speaks and encrypts nothing. A recorded handshake lets an
 * attacker try secrets offline, so that the user's secret must be long and random.
 */
final class HandshakeSecret {
  static final int MAC_BYTES = 32;
  private static final String HMAC = "HmacSHA256";

  private final SecretKey key;

  private HandshakeSecret(byte[] material, byte[] salt, byte[] info) {
    var spec = HKDFParameterSpec.ofExtract().addIKM(material).addSalt(salt);
    try {
      key = KDF.getInstance("HKDF-SHA256").deriveKey(HMAC, spec.thenExpand(info, MAC_BYTES));
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  /** The key of everybody who knows the user's secret, which may be empty. */
  static HandshakeSecret of(String secret) {
    return new HandshakeSecret(utf8(secret), utf8("maestro pre-shared secret"), utf8("handshake"));
  }

  /** The key of one session: both sides have put a nonce in, so that no two sessions share it. */
  HandshakeSecret ofSession(ByteBuffer clientNonce, ByteBuffer serverNonce, SessionId id) {
    byte[] salt = bytes(clientNonce, serverNonce);
    ByteBuffer info = ByteBuffer.allocate(23).put(utf8("session"));
    return new HandshakeSecret(
        key.getEncoded(), salt, info.putLong(id.high()).putLong(id.low()).array());
  }

  /**
   * Authenticates the parts, laid end to end, as a message of this kind. The kind goes in first so
   * that no message can pass for one of another kind or direction.
   */
  byte[] mac(int kind, ByteBuffer... parts) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(key);
      mac.update((byte) kind);
      for (ByteBuffer part : parts) {
        mac.update(part.duplicate());
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  /** Whether {@code expected} is what {@code actual} holds, in time that tells nothing. */
  static boolean matches(byte[] expected, ByteBuffer actual) {
    return MessageDigest.isEqual(expected, bytes(actual));
  }

  private static byte[] bytes(ByteBuffer... parts) {
    int length = 0;
    for (ByteBuffer part : parts) {
      length += part.remaining();
    }
    ByteBuffer all = ByteBuffer.allocate(length);
    for (ByteBuffer part : parts) {
      all.put(part.duplicate());
    }
    return all.array();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static IllegalStateException unavailable(GeneralSecurityException e) {
    return new IllegalStateException("this JDK lacks HKDF-SHA256 or HmacSHA256", e);
  }

  @Override
  public String toString() {
    return "HandshakeSecret[***]";
  }
}
