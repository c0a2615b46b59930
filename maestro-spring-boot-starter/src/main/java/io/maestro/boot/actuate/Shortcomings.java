package io.maestro.boot.actuate;

import io.maestro.api.Connection;
import io.maestro.api.MaestroStatus;
import io.maestro.api.PathReport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What is not as it should be, in sentences. */
final class Shortcomings {
  private Shortcomings() {}

  static List<String> of(MaestroStatus maestro) {
    List<String> found = new ArrayList<>();
    String wanted = maestro.config().provider();
    if (!wanted.equals(maestro.provider())) {
      found.add("fallback provider: %s in place of %s".formatted(maestro.provider(), wanted));
    }
    maestro.connections().forEach(connection -> add(connection, found));
    return found;
  }

  private static void add(Connection connection, List<String> found) {
    List<PathReport> all = connection.paths();
    List<PathReport> lost = all.stream().filter(path -> !isUp(path)).toList();
    if (lost.isEmpty()) {
      return;
    }
    found.add(
        "%d of %d paths to %s are not up: %s"
            .formatted(
                lost.size(),
                all.size(),
                connection.peer(),
                lost.stream().map(Shortcomings::why).collect(Collectors.joining("; "))));
    if (lost.size() == all.size()) {
      found.add("no path to %s is up".formatted(connection.peer()));
    } else if (lost.size() == all.size() - 1) {
      found.add("only one path to %s is up: nothing could take over".formatted(connection.peer()));
    }
  }

  private static String why(PathReport path) {
    String state = "%d %s".formatted(path.id(), path.state());
    return path.health().lastCause().map(cause -> state + ", " + cause).orElse(state);
  }

  static boolean isUp(PathReport path) {
    return path.state() == PathReport.State.UP;
  }
}
