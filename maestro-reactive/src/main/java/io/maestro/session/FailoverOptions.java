package io.maestro.session;

import io.maestro.path.PathBreaker;

/**
 * One side's own settings of what happens when paths fail; times in nanoseconds.
 *
 * @param stallNs how long work under way may make no progress
 * @param attemptNs how long an attempt to connect a path anew may take, and the answer to a probe
 * @param maxBackoffNs longest usual pause between two attempts
 * @param reconnectNs how long a session without paths lives on after its peer's last sign of life
 * @param breakers what the circuit breakers are made with
 */
record FailoverOptions(
    long stallNs,
    long attemptNs,
    long maxBackoffNs,
    long reconnectNs,
    PathBreaker.Settings breakers) {}
