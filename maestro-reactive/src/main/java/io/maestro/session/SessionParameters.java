package io.maestro.session;

/**
 * What both ends of a session must agree on.
 *
 * @param chunkBytes size of a chunk, 4 KiB to 1 MiB
 * @param eagerBytes largest message without a rendezvous, 0 to 64 KiB
 * @param maxMessages most messages under way in one direction, 1 to 65536
 * @param paths how many paths the connecting side opens, 1 to 64
 * @param keepAliveNs silence in nanoseconds after which a peer is asked for a sign of life
 */
record SessionParameters(
    int chunkBytes, int eagerBytes, int maxMessages, int paths, long keepAliveNs) {

  static final int MAX_PATHS = 64;

  SessionParameters {
    require(chunkBytes >= 4096 && chunkBytes <= 1 << 20, "chunkBytes", chunkBytes);
    require(eagerBytes >= 0 && eagerBytes <= 65536, "eagerBytes", eagerBytes);
    require(maxMessages >= 1 && maxMessages <= 65536, "maxMessages", maxMessages);
    require(paths >= 1 && paths <= MAX_PATHS, "paths", paths);
    require(keepAliveNs > 0, "keepAliveNs", keepAliveNs);
  }

  private static void require(boolean holds, String name, long value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is out of range: " + value);
    }
  }

  /**
   * The accepting side's answer to what the connecting peer offers: the smaller of every limit, and
   * as many paths as the peer wants, since it is the peer that opens them.
   */
  SessionParameters agree(SessionParameters peer) {
    return new SessionParameters(
        Math.min(chunkBytes, peer.chunkBytes),
        Math.min(eagerBytes, peer.eagerBytes),
        Math.min(maxMessages, peer.maxMessages),
        peer.paths,
        Math.min(keepAliveNs, peer.keepAliveNs));
  }

  /** Whether this is an answer that {@link #agree} can have given to {@code offer}. */
  boolean answers(SessionParameters offer) {
    return equals(agree(offer));
  }
}
