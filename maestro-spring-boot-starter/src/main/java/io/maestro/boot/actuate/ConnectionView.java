package io.maestro.boot.actuate;

import io.maestro.api.PathDirective;
import io.maestro.api.PathEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An open connection as JSON.
 *
 * @param id unique while the application runs
 * @param name of {@code maestro.connections}; null for one that was made in another way
 * @param since when it was opened
 * @param credits messages that the peer would take now; -1 when that is not known
 * @param marks what operators have said of its paths, by their numbers
 * @param weights what operators have set, by the numbers of paths
 * @param recent the latest events of its paths, oldest first
 */
record ConnectionView(
    String id,
    @Nullable String name,
    String peer,
    Instant since,
    long credits,
    List<PathView> paths,
    Map<Integer, PathDirective.State> marks,
    Map<Integer, Double> weights,
    List<EventView> recent) {

  /**
   * An event of a path.
   *
   * @param path number of the path; -1 where it concerns the whole connection
   * @param kind such as {@code Down} or {@code FailedOver}
   * @param detail what happened, in words
   */
  record EventView(Instant at, int path, String kind, String detail) {
    static EventView of(ConnectionLog.Happened happened) {
      PathEvent event = happened.event();
      return new EventView(
          happened.at(), event.path(), event.getClass().getSimpleName(), event.describe());
    }
  }
}
