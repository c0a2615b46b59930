package io.maestro.trainer.sync;

import io.maestro.MaestroBuilder;
import io.maestro.api.Connection;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What a process adds to its transport.
 *
 * @param parts parts of its own for the builder, such as a provider
 * @param onConnection hears of each connection as it is made; called by its event thread, must not
 *     block
 */
public record Equipment(UnaryOperator<MaestroBuilder> parts, Consumer<Connection> onConnection) {

  /** Nothing added. */
  public static final Equipment NONE = new Equipment(builder -> builder, connection -> {});
}
