package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.verbs.VerbsException;

/** A provider's failures as those that users know. */
final class Failures {
  private Failures() {}

  /** This side has closed the connection. */
  static MaestroException closed(String peer) {
    return new MaestroException.Closed("the connection to " + peer + " is closed");
  }

  /** The failure with what was being done before it, and itself as the cause. */
  static MaestroException translate(String what, Throwable cause) {
    String message = what + ": " + cause.getMessage();
    if (!(cause instanceof VerbsException verbs)) {
      return new MaestroException.ConnectionLost(message, cause);
    }
    return switch (verbs.kind()) {
      case UNAVAILABLE, ADDRESS_UNAVAILABLE, ADDRESS_IN_USE ->
          new MaestroException.Unsupported(message, cause);
      case REJECTED, PROTOCOL -> new MaestroException.Refused(message, cause);
      case REMOTE_ACCESS -> new MaestroException.AccessDenied(message, cause);
      case REFUSED, UNREACHABLE, TIMED_OUT -> new MaestroException.ConnectFailed(message, cause);
      case CONNECTION_LOST, PEER_CLOSED, CLOSED, LOCAL ->
          new MaestroException.ConnectionLost(message, cause);
    };
  }
}
