package io.maestro.api;

import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Is told what happens in a Maestro, for metrics, traces and management; given to its builder.
 *
 * <p>It is called for each connection and each message, never for a chunk: what moves is to be read
 * from {@link Connection#paths()} when somebody asks. The methods are called on event loops, {@link
 * #sendStarted} on the thread that subscribes: they must be quick and must not block. What one
 * throws is logged, a few times, and changes nothing.
 */
public interface MaestroObserver {

  /** The instance is there. Called once, by the thread that creates it, before any other method. */
  default void started(MaestroStatus maestro) {}

  /** The instance has been closed. Connections may still end after it. */
  default void stopped() {}

  /** A connection is open, on either side; before anybody gets it. */
  default void connectionOpened(Connection connection) {}

  /**
   * A connection that was open has ended.
   *
   * @param failure why it broke; null when it ended in order
   */
  default void connectionClosed(Connection connection, @Nullable Throwable failure) {}

  /**
   * A send has been subscribed to.
   *
   * @param bytes size of the message, in bytes, without its header
   * @param context the subscriber's
   * @return told once how it ended, when the peer has all of the message or it was given up
   */
  default Finish sendStarted(Connection connection, long bytes, ContextView context) {
    return Finish.NONE;
  }

  /**
   * The peer has begun a message: it has offered it, or the message is so small that all of it has
   * come at once.
   *
   * @param bytes size of the message, in bytes, without its header
   * @return told once how it ended, when all of the message is here or it was given up
   */
  default Finish receiveStarted(Connection connection, long bytes) {
    return Finish.NONE;
  }

  /** Is told how a message ended. */
  @FunctionalInterface
  interface Finish {
    /** Does nothing. */
    Finish NONE = (outcome, failure) -> {};

    /**
     * The message has ended.
     *
     * @param failure why; null unless it failed
     */
    void finished(Outcome outcome, @Nullable Throwable failure);
  }

  /** How a message ended. */
  enum Outcome {
    /** The receiver has all of it. */
    DONE,
    /** It could not be moved, or the connection ended. */
    FAILED,
    /** The sender or the receiver did not want it any more. */
    CANCELLED
  }
}
