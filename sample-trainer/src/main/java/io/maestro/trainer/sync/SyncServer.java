package io.maestro.trainer.sync;

import reactor.core.publisher.Mono;

/** A parameter server at work. */
public interface SyncServer extends AutoCloseable {

  /** Where workers reach it: {@code host:port}. */
  String address();

  /**
   * Completes when every worker has left in order; fails with a {@link SyncException} when one is
   * lost and the run cannot go on without it.
   */
  Mono<Void> finished();

  /** Ends all connections. */
  @Override
  void close();
}
