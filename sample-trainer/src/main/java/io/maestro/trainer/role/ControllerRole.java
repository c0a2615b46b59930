package io.maestro.trainer.role;

import io.maestro.path.Topology;
import io.maestro.path.TopologyException;
import io.maestro.path.TopologyJson;
import io.maestro.trainer.controller.ControllerServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Steers the paths of other processes until it is ended. */
public final class ControllerRole {

  private ControllerRole() {}

  /**
   * Blocks until the process is ended.
   *
   * @throws RunFailedException when the topology cannot be read
   */
  public static void run(Context context) {
    Topology topology = read(context.options().steering().topology());
    try (ControllerServer server =
        ControllerServer.start(context.options().place().listen(), context.secret(), topology)) {
      var address = server.address();
      String where = "%s:%d".formatted(address.getHostString(), address.getPort());
      context.listener().note("controller listens on " + where);
      server.onClose().block();
    }
  }

  private static Topology read(@Nullable Path file) {
    if (file == null) {
      throw new RunFailedException("the controller needs a topology");
    }
    try {
      return TopologyJson.parse(Files.readString(file));
    } catch (IOException unreadable) {
      throw new RunFailedException(
          "the topology %s cannot be read: %s".formatted(file, unreadable));
    } catch (TopologyException broken) {
      throw new RunFailedException("the topology %s: %s".formatted(file, broken.getMessage()));
    }
  }
}
