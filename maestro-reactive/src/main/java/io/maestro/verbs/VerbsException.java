package io.maestro.verbs;

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

  /** A failure without a cause. */
  public VerbsException(Kind kind, String message) {
    this(kind, message, null);
  }

  /** A failure with its cause. */
  public VerbsException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What kind of failure it is. */
  public Kind kind() {
    return kind;
  }
}
