package io.maestro.session;

import io.maestro.api.MaestroException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What a session tells whoever opened or accepted it, on the session's loop. */
interface SessionEvents {

  /** A path is connected; false when the peer has not proved that it is the session's. */
  boolean onPathConnected(Path path, ByteBuffer privateData);

  /** A path could not be set up or is lost; the session may go on. */
  void onPathLost(Path path, Throwable cause);

  /** Whether this side connects lost paths anew; the other waits for it. */
  boolean connects();

  /** Connects a path that is down; only where {@link #connects}. */
  void connectAnew(int pathId, int generation);

  /** The peer says that it knows the secret: to be checked. */
  void onConfirm(byte[] proof);

  /** The session has ended; null when in order. */
  void onEnd(@Nullable MaestroException failure);
}
