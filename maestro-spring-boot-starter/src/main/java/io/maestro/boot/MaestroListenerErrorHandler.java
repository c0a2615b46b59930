package io.maestro.boot;

import io.maestro.api.Connection;
import io.maestro.api.Message;
import reactor.core.publisher.Mono;

/**
 * What is done about a message that a {@link MaestroListener} failed on. Without a bean of this
 * type the failure is logged.
 */
@FunctionalInterface
public interface MaestroListenerErrorHandler {

  /**
   * Handles a failure. Must not block. The next message waits for the result; when that is an error
   * it is logged.
   */
  Mono<Void> handle(Failure failure);

  /**
   * A failure.
   *
   * @param listener the method
   * @param connection over which the message came
   * @param message valid until the result of the handler has ended
   * @param cause what the method threw, or its publisher failed with
   */
  record Failure(String listener, Connection connection, Message message, Throwable cause) {}
}
