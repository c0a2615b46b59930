package io.maestro;

import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroException;
import io.maestro.api.Routing;
import io.maestro.net.PathPlanner;
import io.maestro.net.ProbeOptions;
import io.maestro.net.RouteProber;
import io.maestro.path.Topology;
import io.maestro.path.TopologyException;
import io.maestro.path.TopologyJson;
import io.maestro.route.RoutePlanner;
import io.maestro.verbs.VerbsProvider;
import io.maestro.verbs.WireProtocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Makes the planner that the settings ask for. */
final class Planners {
  private Planners() {}

  /**
   * The planner for the connections of a provider.
   *
   * @throws MaestroException.Unsupported when the topology cannot be read
   */
  static PathPlanner of(MaestroConfig config, VerbsProvider provider) {
    Routing routing = config.routing();
    if (routing.mode() == Routing.Mode.OFF || provider.wire() == WireProtocol.OPAQUE) {
      return PathPlanner.none();
    }
    return new RoutePlanner(
        routing,
        provider.wire(),
        new RouteProber(ProbeOptions.DEFAULT),
        routing.topology() == null ? null : read(routing.topology()),
        new SplittableRandom());
  }

  private static @Nullable Topology read(Path file) {
    try {
      return TopologyJson.parse(Files.readString(file));
    } catch (IOException unreadable) {
      throw refusal(file, "cannot be read: " + unreadable, unreadable);
    } catch (TopologyException broken) {
      throw refusal(file, String.valueOf(broken.getMessage()), broken);
    } catch (NoClassDefFoundError missing) {
      throw refusal(
          file, "is JSON: add tools.jackson.core:jackson-core to the class path", missing);
    }
  }

  private static MaestroException refusal(Path file, String problem, Throwable cause) {
    return new MaestroException.Unsupported(
        "routing.topology", "the topology %s: %s".formatted(file, problem), cause);
  }
}
