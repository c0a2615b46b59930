package io.maestro.trainer.report;

/**
 * How one path of one connection of a process fares at one moment.
 *
 * @param path its number within the connection, from 0
 * @param virtualNic the address of the side that connected, by which faults name the path
 * @param serverPort the port of the server's side: which server it leads to
 * @param state what it is doing, as {@link io.maestro.api.PathReport.State} names it
 * @param breaker its circuit breaker, as {@link io.maestro.api.PathHealth.Breaker} names it
 * @param weight its share by the load balancer; those of a connection sum to 1
 * @param ackedBytes payload bytes acknowledged so far
 * @param inFlightBytes payload bytes not acknowledged
 * @param rttNs smoothed round-trip time in nanoseconds, 0 before the first measurement
 * @param failovers how often it was lost after it had carried chunks
 */
public record PathFigures(
    int path,
    String virtualNic,
    int serverPort,
    String state,
    String breaker,
    double weight,
    long ackedBytes,
    long inFlightBytes,
    long rttNs,
    long failovers) {}
