package io.maestro.collective;

import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import reactor.core.publisher.Flux;
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
    Piece all = Piece.all(region);
    Tag fold = tag.at(0, FOLD);
    Tag unfold = tag.at(0, UNFOLD);
    int rank = world.rank();
    if (rank >= core) {
      return world.send(rank - core, fold, all).then(world.receive(rank - core, unfold, all));
    }
    MemorySegment data = region.segment();
    Mono<Void> rounds =
        Flux.range(0, Integer.numberOfTrailingZeros(core))
            .concatMap(round -> Mono.defer(() -> round(tag.at(0, round))), 1)
            .then(Mono.fromRunnable(() -> reduction.finish(data, world.size())));
    if (rank + core >= world.size()) {
      return rounds;
    }
    return world
        .receive(rank + core, fold, all.bytes(), other -> reduction.accumulate(data, other))
        .then(rounds)
        .then(world.send(rank + core, unfold, all));
  }

  private Mono<Void> round(Tag tag) {
    int other = world.rank() ^ (1 << tag.step());
    MemorySegment data = region.segment();
    Piece sent = new Piece(world.scratch(), 0, region.size());
    sent.memory().copyFrom(data); // what is being sent must not change
    return Mono.when(
        world.send(other, tag, sent),
        world.receive(other, tag, sent.bytes(), theirs -> reduction.accumulate(data, theirs)));
  }
}
