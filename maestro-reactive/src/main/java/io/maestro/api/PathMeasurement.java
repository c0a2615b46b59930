package io.maestro.api;

import java.net.InetSocketAddress;

/**
 * What a short transfer of its own has found out about one path.
 *
 * @param local local address and port of the queue pair that was made for it
 * @param remote remote address and port
 * @param route what is known of its route
 * @param onItsRoute whether that is the route of the path itself, as far as both are known
 * @param rttNs the least of some round-trip times of a small read, in nanoseconds
 * @param bytesPerSecond rate of writes in the second half of the transfer, beside whatever else the
 *     network carried
 * @param bytes what was transferred in all
 */
public record PathMeasurement(
    InetSocketAddress local,
    InetSocketAddress remote,
    RouteReport route,
    boolean onItsRoute,
    long rttNs,
    long bytesPerSecond,
    long bytes) {}
