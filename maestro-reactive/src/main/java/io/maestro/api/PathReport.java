package io.maestro.api;

import java.net.InetSocketAddress;

/**
 * The state of one path of a connection at one moment.
 *
 * @param id the path's number within the connection, from 0
 * @param local local address and port
 * @param remote remote address and port
 * @param state what the path is doing
 * @param weight its share by the load balancer; those of a connection sum to 1
 * @param windowBytes bytes it may have unacknowledged
 * @param inFlightBytes bytes that are unacknowledged
 * @param rateBytesPerSecond measured delivery rate, 0 before the first measurement
 * @param rttNs smoothed round-trip time of chunk and acknowledgement, in nanoseconds, 0 before the
 *     first measurement
 * @param ackedBytes bytes of chunks acknowledged so far
 * @param ackedChunks chunks acknowledged so far
 * @param marks congestion marks (ECN-CE or CNP) so far, {@link PathSample#ABSENT} while the
 *     provider does not know
 * @param queuedChunks chunks that have been given to the path and that its loop has not posted yet
 * @param route what is known of its route
 * @param health how it fares: its circuit breaker, its losses, what comes next
 */
public record PathReport(
    int id,
    InetSocketAddress local,
    InetSocketAddress remote,
    State state,
    double weight,
    long windowBytes,
    long inFlightBytes,
    long rateBytesPerSecond,
    long rttNs,
    long ackedBytes,
    long ackedChunks,
    long marks,
    int queuedChunks,
    RouteReport route,
    PathHealth health) {

  /** This report with another route. */
  public PathReport withRoute(RouteReport other) {
    return new PathReport(
        id,
        local,
        remote,
        state,
        weight,
        windowBytes,
        inFlightBytes,
        rateBytesPerSecond,
        rttNs,
        ackedBytes,
        ackedChunks,
        marks,
        queuedChunks,
        other,
        health);
  }

  /** What a path is doing. */
  public enum State {
    /** Being connected, for the first time or anew. */
    CONNECTING,
    /** Carrying chunks. */
    UP,
    /** Connected anew, and carrying nothing but probes until enough have been answered. */
    PROBING,
    /** Lost: it gets no chunks, and those it had go to the other paths. */
    DOWN
  }
}
