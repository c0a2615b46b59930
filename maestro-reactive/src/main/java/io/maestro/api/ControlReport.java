package io.maestro.api;

import java.util.List;

/**
 * What a {@link PathController} is told about one connection.
 *
 * @param peer the peer's name
 * @param following whether the connection does as the controller says; otherwise it decides for
 *     itself
 * @param paths a report of each path, by id
 * @param refusals what of the controller's directives was not done since the last report, at most
 *     64
 */
public record ControlReport(
    String peer, boolean following, List<PathReport> paths, List<Refusal> refusals) {

  /** Takes copies. */
  public ControlReport {
    paths = List.copyOf(paths);
    refusals = List.copyOf(refusals);
  }

  /**
   * Something that was not done.
   *
   * @param path the number of the path that it is about; {@link PathEvent#CONNECTION} for none
   * @param reason why not
   */
  public record Refusal(int path, String reason) {}
}
