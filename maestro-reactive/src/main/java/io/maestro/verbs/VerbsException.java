package io.maestro.verbs;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A failure in a provider; the message names addresses, state and the likely cure. */
public final class VerbsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What kind of failure it is. */
  public enum Kind {
    /** The provider cannot work on this machine. */
    UNAVAILABLE,
    /** The local address is not one of this machine, or of no device. */
    ADDRESS_UNAVAILABLE,
    /** The local address and port are taken. */
    ADDRESS_IN_USE,
    /** Nobody listens at the remote address. */
    REFUSED,
    /** There is no route to the remote address. */
    UNREACHABLE,
    /** The peer rejected the connection. */
    REJECTED,
    /** The deadline passed. */
    TIMED_OUT,
    /** The peer broke the protocol or does not speak it. */
    PROTOCOL,
    /** The peer, or this side at the peer's request, met an access violation. */
    REMOTE_ACCESS,
    /** The connection broke. */
    CONNECTION_LOST,
    /** The peer closed in order. */
    PEER_CLOSED,
    /** This side closed. */
    CLOSED,
    /** A handler of this side threw an exception, which is the cause. */
    LOCAL
  }

  /** The kind. */
  private final Kind kind;

  /** What the peer sent with its rejection; empty for every other kind. */
  private final byte[] privateData;

  /** A failure without a cause. */
  public VerbsException(Kind kind, String message) {
    this(kind, message, null);
  }

  /** A failure with its cause. */
  public VerbsException(Kind kind, String message, @Nullable Throwable cause) {
    this(kind, message, cause, new byte[0]);
  }

  private VerbsException(Kind kind, String message, @Nullable Throwable cause, byte[] privateData) {
    super(message, cause);
    this.kind = kind;
    this.privateData = privateData;
  }

  /**
   * A {@link Kind#REJECTED} failure.
   *
   * @param privateData what the peer gave to {@link ConnectionRequest#reject}; copied
   */
  public static VerbsException rejected(String message, ByteBuffer privateData) {
    byte[] copy = new byte[privateData.remaining()];
    privateData.duplicate().get(copy);
    return new VerbsException(Kind.REJECTED, message, null, copy);
  }

  /** What kind of failure it is. */
  public Kind kind() {
    return kind;
  }

  /** What the peer sent with its rejection, read-only; empty for every other kind. */
  public ByteBuffer privateData() {
    return ByteBuffer.wrap(privateData).asReadOnlyBuffer();
  }
}
