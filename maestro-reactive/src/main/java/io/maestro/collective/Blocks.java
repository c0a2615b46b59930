package io.maestro.collective;

import io.maestro.api.Region;

/**
 * A piece of a region dealt out to the ranks: a block of whole elements each, in their order, of
 * sizes that differ by one element at most. Blocks are cut into slices.
 *
 * @param firstSlice the number of the first slice
 */
record Blocks(Piece whole, int elementBytes, int ranks, int firstSlice) {

  static Blocks of(Region region, int elementBytes, int ranks) {
    return new Blocks(Piece.all(region), elementBytes, ranks, 0);
  }

  Piece block(int rank) {
    long from = start(rank);
    return new Piece(whole.region(), whole.offset() + from, start(rank + 1) - from);
  }

  private long start(int rank) {
    return whole.bytes() / elementBytes * rank / ranks * elementBytes;
  }

  /** A rank's part of a slice. */
  Piece piece(int rank, int slice) {
    return block(rank).slice(slice - firstSlice, pieceBytes());
  }

  /** At least one, so that ranks meet for an empty region too. */
  int slices() {
    long elements = Math.ceilDiv(whole.bytes() / elementBytes, ranks);
    return Math.max(1, SliceWork.count(elements * elementBytes, pieceBytes()));
  }

  private long pieceBytes() {
    return Math.max(1, SliceWork.SLICE_BYTES / ranks / elementBytes) * elementBytes;
  }
}
