package io.maestro.verbs.sim;

/**
 * The constants of a fabric.
 *
 * @param seed of the one random generator
 * @param unitBytes largest payload of a simulated packet
 * @param windowBytes bytes that a queue pair has under way at most
 * @param retryLimitNs how long a queue pair retries without any answer
 * @param hasSignals whether queue pairs know their signals
 */
record FabricOptions(
    long seed, int unitBytes, long windowBytes, long retryLimitNs, boolean hasSignals) {}
