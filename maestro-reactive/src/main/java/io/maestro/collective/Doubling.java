package io.maestro.collective;

import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import reactor.core.publisher.Mono;

/**
 * Recursive doubling for small regions: in each round ranks exchange all they have with the one
 * whose number differs in one bit, so it takes the logarithm of the world in rounds. Ranks beyond
 * the largest power of two hand theirs to one below it first and get the result last.
 */
record Doubling(World world, Region region, Reduction reduction) {

  private static final int FOLD = 100;
  private static final int UNFOLD = 101;

  Mono<Void> run(Tag tag) {
    int core = Integer.highestOneBit(world.size());
    int rank = world.rank();
    Tag fold = tag.at(0, FOLD);
    Tag unfold = tag.at(0, UNFOLD);
    MemorySegment data = region.segment();
    if (rank >= core) {
      world.post(rank - core, fold, data);
      return world.receive(rank - core, unfold, Piece.all(region));
    }
    boolean folds = rank + core < world.size();
    Mono<Void> rounds = folds ? reduceFrom(rank + core, fold) : Mono.empty();
    for (int round = 0; 1 << round < core; round++) {
      Tag next = tag.at(0, round);
      rounds = rounds.then(Mono.defer(() -> round(next)));
    }
    return rounds.then(
        Mono.fromRunnable(
            () -> {
              reduction.finish(data, world.size());
              if (folds) {
                world.post(rank + core, unfold, data);
              }
            }));
  }

  private Mono<Void> round(Tag tag) {
    int other = world.rank() ^ (1 << tag.step());
    world.post(other, tag, region.segment());
    return reduceFrom(other, tag);
  }

  private Mono<Void> reduceFrom(int other, Tag tag) {
    MemorySegment data = region.segment();
    return world.receive(other, tag, data.byteSize(), theirs -> reduction.accumulate(data, theirs));
  }
}
