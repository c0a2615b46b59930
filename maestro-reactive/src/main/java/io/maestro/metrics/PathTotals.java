package io.maestro.metrics;

import io.maestro.api.PathReport;
import io.maestro.api.PathSample;

/**
 * What the paths with the same tags have in all; of several, the mean weight and the longest
 * round-trip time.
 */
record PathTotals(
    long bytes,
    long chunks,
    long marks,
    long failovers,
    double weights,
    long windowBytes,
    long inFlightBytes,
    long rttNs,
    long queuedChunks,
    States states) {
  static final PathTotals NONE =
      new PathTotals(0, 0, PathSample.ABSENT, 0, 0, 0, 0, 0, 0, States.NONE);

  /** How many are in each state. */
  record States(int connecting, int up, int probing, int down) {
    private static final States NONE = new States(0, 0, 0, 0);

    int of(PathReport.State state) {
      return switch (state) {
        case CONNECTING -> connecting;
        case UP -> up;
        case PROBING -> probing;
        case DOWN -> down;
      };
    }

    private States plus(PathReport.State state) {
      return new States(
          connecting + (state == PathReport.State.CONNECTING ? 1 : 0),
          up + (state == PathReport.State.UP ? 1 : 0),
          probing + (state == PathReport.State.PROBING ? 1 : 0),
          down + (state == PathReport.State.DOWN ? 1 : 0));
    }

    private int count() {
      return connecting + up + probing + down;
    }
  }

  PathTotals plus(PathReport path) {
    return new PathTotals(
        bytes + path.ackedBytes(),
        chunks + path.ackedChunks(),
        sum(marks, path.marks()),
        failovers + path.health().failovers(),
        weights + path.weight(),
        windowBytes + path.windowBytes(),
        inFlightBytes + path.inFlightBytes(),
        Math.max(rttNs, path.rttNs()),
        queuedChunks + path.queuedChunks(),
        states.plus(path.state()));
  }

  /** What remains when the connections have ended: what was counted. */
  PathTotals ended() {
    return new PathTotals(bytes, chunks, marks, failovers, 0, 0, 0, 0, 0, States.NONE);
  }

  double weight() {
    return states.count() == 0 ? 0 : weights / states.count();
  }

  boolean knowsMarks() {
    return marks != PathSample.ABSENT;
  }

  private static long sum(long one, long other) {
    return one == PathSample.ABSENT || other == PathSample.ABSENT
        ? Math.max(one, other)
        : one + other;
  }
}
