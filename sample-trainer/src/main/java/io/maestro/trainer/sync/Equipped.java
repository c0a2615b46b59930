package io.maestro.trainer.sync;

import io.maestro.Maestro;
import io.maestro.api.Connection;
import java.util.function.Consumer;

/** An instance of Maestro, and who hears of its connections. */
record Equipped(Maestro maestro, Consumer<Connection> onConnection) {}
