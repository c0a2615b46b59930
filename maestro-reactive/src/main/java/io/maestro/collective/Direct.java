package io.maestro.collective;

import io.maestro.api.Region;
import reactor.core.publisher.Mono;

/**
 * A region from one rank to another. The receiver confirms what it has taken, or a sender could
 * fill the memory of one that does not receive yet.
 */
record Direct(World world, int peer, Region region, boolean outgoing) implements SliceWork {

  private static final int DATA = 0;
  private static final int TAKEN = 1;

  /** At least one, so that an empty region is received too. */
  @Override
  public int slices() {
    return Math.max(1, SliceWork.count(region.size(), SLICE_BYTES));
  }

  @Override
  public Mono<Void> slice(Tag tag) {
    Piece piece = Piece.all(region).slice(tag.slice(), SLICE_BYTES);
    Tag data = tag.at(tag.slice(), DATA);
    Tag taken = tag.at(tag.slice(), TAKEN);
    return outgoing
        ? Mono.when(world.send(peer, data, piece), world.awaitSignal(peer, taken))
        : world.receive(peer, data, piece).then(world.signal(peer, taken));
  }

  static boolean isData(Tag tag) {
    return tag.step() == DATA;
  }
}
