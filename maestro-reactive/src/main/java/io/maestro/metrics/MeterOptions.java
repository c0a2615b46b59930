package io.maestro.metrics;

import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * How many meters there may be, and what their tags say.
 *
 * @param maxPeers peers with tags of their own at a time; those beyond are counted together under
 *     {@link #OTHER}
 * @param maxPaths paths of a connection with tags of their own; those beyond are counted together
 *     under {@link #OTHER}
 * @param tags further tags of every meter, such as the name of one of several instances in one
 *     registry; their keys must be the same everywhere
 * @param peerTag makes the tag of a peer from its name, such as the host from {@code pid@host};
 *     peers with the same tag are counted together. Called on event loops: must be quick.
 */
public record MeterOptions(
    int maxPeers, int maxPaths, Map<String, String> tags, UnaryOperator<String> peerTag) {
  /** The value of tags that stands for all beyond a limit. */
  public static final String OTHER = "other";

  private static final int MAX_PEERS = 32;
  private static final int MAX_PATHS = 16;

  /** Checks the values. */
  public MeterOptions {
    if (maxPeers < 1 || maxPaths < 1) {
      throw new IllegalArgumentException(
          "maxPeers and maxPaths must be positive, were %d and %d".formatted(maxPeers, maxPaths));
    }
    tags = Map.copyOf(tags);
  }

  /** 32 peers, 16 paths, no further tags, peers by their names. */
  public static MeterOptions defaults() {
    return new MeterOptions(MAX_PEERS, MAX_PATHS, Map.of(), peer -> peer);
  }

  /** These with other limits. */
  public MeterOptions withLimits(int peers, int paths) {
    return new MeterOptions(peers, paths, tags, peerTag);
  }

  /** These with other further tags. */
  public MeterOptions withTags(Map<String, String> others) {
    return new MeterOptions(maxPeers, maxPaths, others, peerTag);
  }

  /** These with other tags of peers. */
  public MeterOptions withPeerTag(UnaryOperator<String> other) {
    return new MeterOptions(maxPeers, maxPaths, tags, other);
  }
}
