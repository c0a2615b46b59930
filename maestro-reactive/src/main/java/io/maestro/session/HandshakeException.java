package io.maestro.session;

/** A handshake message that is malformed, of another version, or not made with our secret. */
final class HandshakeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HandshakeException(String message) {
    super(message);
  }
}
