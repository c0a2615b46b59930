package io.maestro.session;

import io.maestro.verbs.EventLoop;
import java.nio.ByteBuffer;

/**
 * What a path needs of its session. But for {@link #loop}, {@link #slots} and {@link #pool}, every
 * method is called on the session's loop.
 */
interface PathOwner {

  EventLoop loop();

  SlotTable<InMessage> slots();

  RegionPool pool();

  void onPathUp(Path path, ByteBuffer privateData);

  void onPathClosed(Path path, Throwable cause);

  void onControl(long controlSeq, Control control);

  /** The path has asked its peer for a sign of life, so there is something to wait for. */
  void onPinged(Path path);

  /** The path has made no progress for half of its limit or longer. */
  void onSilent(Path path);

  /** The path's return ring has something. */
  void onReturns(Path path);

  /** The last chunk of a message is in place. */
  void onReassembled(InMessage message);
}
