package io.maestro.session;

/** The peer sent something that the session's protocol does not allow. */
final class ProtocolViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProtocolViolation(String message) {
    super(message);
  }
}
