package io.maestro.session;

import io.maestro.verbs.ProtectionDomain;

/**
 * What a path is made with.
 *
 * @param id its number within the session
 * @param generation how often this path has been built before
 * @param domain the session's protection domain
 * @param maxChunks most chunks that it may have in flight
 * @param slotBytes size of a slot for a SEND, in bytes
 * @param stallNs how long work under way may make no progress, in nanoseconds
 * @param keepAliveNs silence after which the peer is asked for a sign of life, in nanoseconds
 */
record PathOptions(
    int id,
    int generation,
    ProtectionDomain domain,
    int maxChunks,
    int slotBytes,
    long stallNs,
    long keepAliveNs) {

  PathKey key() {
    return new PathKey(id, generation);
  }
}
