package io.maestro.trainer.sync;

import reactor.core.publisher.Mono;

/** A parameter server at work. */
public interface SyncServer extends AutoCloseable {

  /** Where workers reach it: {@code host:port}. */
  String address();

  /**
   * Ends when every worker has left: completes, or fails with a {@link SyncException} when one was
   * lost and the run could not go on without it.
   */
  Mono<Void> finished();

  /** Ends all connections. */
  @Override
  void close();
}
