package io.maestro.verbs;

import java.nio.ByteBuffer;

/**
 * What happens to a queue pair. All methods are called on its loop, in the order {@code onCreated},
 * {@code onEstablished}, any number of {@code onCompletions}, {@code onClosed}; must not block. An
 * exception thrown by a handler closes the queue pair with {@link VerbsException.Kind#LOCAL}.
 */
public interface QueuePairHandler {

  /** The queue pair exists but carries nothing yet: post the first receives here. */
  void onCreated(QueuePair qp);

  /**
   * Both sides are ready.
   *
   * @param privateData what the accepting peer sent (empty on the accepting side); read-only, valid
   *     during the call
   */
  void onEstablished(QueuePair qp, ByteBuffer privateData);

  /**
   * Work has completed.
   *
   * @param completions valid during the call
   */
  void onCompletions(QueuePair qp, Completions completions);

  /**
   * The queue pair has ended, or could not be connected; called exactly once, as the last call,
   * after every posted work request has been completed. {@code onCreated} may be missing before it
   * when the connection failed early.
   *
   * @param cause why; its kind is {@link VerbsException.Kind#CLOSED} after {@link
   *     QueuePair#close()} and {@link VerbsException.Kind#PEER_CLOSED} after the peer's
   */
  void onClosed(VerbsException cause);
}
