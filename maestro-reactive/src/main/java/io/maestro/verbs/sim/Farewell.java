package io.maestro.verbs.sim;

import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import java.nio.ByteBuffer;

/**
 * Why one end tells the other that the connection is over.
 *
 * @param kind what the other end reports
 * @param reason in words, without addresses
 * @param privateData of a rejection, else empty
 * @param failedWr the sequence number of the other end's work that was refused, or {@link #NONE}
 */
record Farewell(Kind kind, String reason, ByteBuffer privateData, long failedWr) {
  static final long NONE = -1;
  private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0).asReadOnlyBuffer();

  static Farewell of(Kind kind, String reason) {
    return new Farewell(kind, reason, NO_DATA, NONE);
  }

  static Farewell closed() {
    return of(Kind.PEER_CLOSED, "the peer closed the connection");
  }

  static Farewell refusing(long wr, String reason) {
    return new Farewell(Kind.REMOTE_ACCESS, reason, NO_DATA, wr);
  }

  static Farewell rejecting(ByteBuffer privateData) {
    return new Farewell(Kind.REJECTED, "the peer rejected the connection", privateData, NONE);
  }

  VerbsException at(String connection) {
    String message = connection + ": " + reason;
    return kind == Kind.REJECTED
        ? VerbsException.rejected(message, privateData)
        : new VerbsException(kind, message);
  }
}
