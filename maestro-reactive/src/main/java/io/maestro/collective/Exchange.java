package io.maestro.collective;

import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Every rank sends a block to every other one, all at once.
 *
 * @param kept whether a rank sends its own block, and keeps it, or to each rank the block of that
 *     rank, in whose place it gets the other's
 */
record Exchange(World world, Blocks blocks, boolean kept) implements SliceWork {

  /** The block of each rank to all. */
  static Exchange allGather(World world, Blocks blocks) {
    return new Exchange(world, blocks, true);
  }

  /** To each rank the block with its number. */
  static Exchange allToAll(World world, Blocks blocks) {
    return new Exchange(world, blocks, false);
  }

  @Override
  public int slices() {
    return blocks.slices();
  }

  @Override
  public Mono<Void> slice(Tag tag) {
    List<Mono<Void>> pairs = new ArrayList<>();
    for (int distance = 1; distance < world.size(); distance++) {
      int other = world.after(distance);
      Piece theirs = blocks.piece(other, tag.slice());
      Piece outgoing = kept ? blocks.piece(world.rank(), tag.slice()) : theirs;
      // what comes waits as a message until the place has been sent
      pairs.add(world.send(other, tag, outgoing).then(world.receive(other, tag, theirs)));
    }
    return Mono.when(pairs);
  }
}
