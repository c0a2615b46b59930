package io.maestro.path;

/**
 * One link of a route, in one direction.
 *
 * @param from the node that sends onto it, or {@link #UNKNOWN}
 * @param to the node behind it, or {@link #UNKNOWN}
 * @param lane which of several links between the same nodes, from 0
 * @param bitsPerSecond its rate, 0 when unknown
 */
public record RouteLink(String from, String to, int lane, long bitsPerSecond) {
  /** The name of a node that is not known; it may be any. */
  public static final String UNKNOWN = "?";

  /** Checks the values. */
  public RouteLink {
    if (from.isEmpty() || to.isEmpty() || lane < 0 || bitsPerSecond < 0) {
      throw new IllegalArgumentException(
          "not a link: from '%s' to '%s', lane %d, %d bit/s"
              .formatted(from, to, lane, bitsPerSecond));
    }
  }

  /** {@code from>to}, with {@code #lane} behind it for other lanes than the first. */
  public String name() {
    return lane == 0 ? from + ">" + to : from + ">" + to + "#" + lane;
  }

  /** Whether both nodes are known. */
  public boolean isKnown() {
    return !from.equals(UNKNOWN) && !to.equals(UNKNOWN);
  }

  /** Whether both may be one and the same link, for all that is known. */
  public boolean mayBe(RouteLink other) {
    boolean certain = isKnown() && other.isKnown();
    return mayBe(from, other.from) && mayBe(to, other.to) && (!certain || lane == other.lane);
  }

  private static boolean mayBe(String node, String other) {
    return node.equals(other) || node.equals(UNKNOWN) || other.equals(UNKNOWN);
  }
}
