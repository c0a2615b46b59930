package io.maestro.session;

/** What a connection request asks for, before anything about it has been verified. */
enum HandshakeKind {
  /** To open a session. */
  CONNECT,
  /** To add a path to a session. */
  JOIN,
  /** To measure a path of a session. */
  METER,
  /** Nothing that this protocol knows. */
  UNKNOWN
}
