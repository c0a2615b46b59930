package io.maestro.session;

import io.maestro.path.LoadBalancer;

/**
 * One side's own settings of a session.
 *
 * @param client whether this side connected
 * @param balancer spreads the chunks over the paths; this session's own
 * @param windowBytes most bytes that one path may have unacknowledged
 * @param maxChunks most chunks that one path may have in flight
 * @param tickNs how often deadlines are looked at, in nanoseconds
 * @param sendTimeoutNs default deadline of a send, in nanoseconds
 * @param closeTimeoutNs how long closing waits for sends under way, in nanoseconds
 * @param failover what happens when paths fail
 */
record SessionOptions(
    boolean client,
    LoadBalancer balancer,
    long windowBytes,
    int maxChunks,
    long tickNs,
    long sendTimeoutNs,
    long closeTimeoutNs,
    FailoverOptions failover) {}
