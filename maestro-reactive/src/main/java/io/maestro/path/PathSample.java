package io.maestro.path;

import io.maestro.verbs.Signals;

/**
 * What was seen of a path up to one moment.
 *
 * @param path the path's number within the connection, from 0
 * @param usable whether it may get chunks
 * @param ackedBytes bytes acknowledged so far
 * @param inFlightBytes bytes that are not acknowledged
 * @param rateBytesPerSecond measured delivery rate, 0 when unknown
 * @param rttNs smoothed round-trip time in nanoseconds, 0 when unknown
 * @param signals what the network said, cumulative; unknown values are {@link Signals#ABSENT}
 */
public record PathSample(
    int path,
    boolean usable,
    long ackedBytes,
    long inFlightBytes,
    long rateBytesPerSecond,
    long rttNs,
    Signals signals) {}
