package io.maestro.session;

import io.maestro.api.Connection;
import io.maestro.api.PathReport;
import io.maestro.verbs.VerbsException;

/** What can be done to a connection's paths, and seen of them. */
final class Faults {
  private Faults() {}

  /** Breaks the queue pair of a path at this end, as if its network card had failed. */
  static void losePath(Connection connection, int id) {
    Session session = ((SessionConnection) connection).session();
    session.later(
        () -> {
          Path path = session.paths().get(id);
          if (path != null) {
            path.lose(
                new VerbsException(VerbsException.Kind.CONNECTION_LOST, "broken by the test"));
          }
        });
  }

  static boolean allUp(Connection connection) {
    return connection.paths().stream().allMatch(path -> path.state() == PathReport.State.UP);
  }
}
