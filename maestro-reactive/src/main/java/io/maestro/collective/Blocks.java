package io.maestro.collective;

import io.maestro.api.Region;

/**
 * A region dealt out to the ranks: a block of whole elements each, in their order, of sizes that
 * differ by one element at most. Blocks are cut into slices.
 */
record Blocks(Region region, int elementBytes, int ranks) {

  Piece block(int rank) {
    long from = start(rank);
    return new Piece(region, from, start(rank + 1) - from);
  }

  private long start(int rank) {
    return region.size() / elementBytes * rank / ranks * elementBytes;
  }

  /** A rank's part of a slice. */
  Piece piece(int rank, int slice) {
    return block(rank).slice(slice, pieceBytes());
  }

  /** At least one, so that ranks meet for an empty region too. */
  int slices() {
    long elements = Math.ceilDiv(region.size() / elementBytes, ranks);
    return Math.max(1, SliceWork.count(elements * elementBytes, pieceBytes()));
  }

  private long pieceBytes() {
    return Math.max(1, SliceWork.SLICE_BYTES / ranks / elementBytes) * elementBytes;
  }
}
