package io.maestro.collective;

import io.maestro.api.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Recursive doubling for small regions: in each round ranks exchange all they have with the one
 * whose number differs in one bit, so it takes the logarithm of the world in rounds. Ranks beyond
 * the largest power of two hand theirs to one below it first and get the result last.
 */
final class Doubling {

  private static final int FOLD = 100;
  private static final int UNFOLD = 101;

  private final World world;
  private final Region region;
  private final Reduction reduction;
  private final Region sent;
  private final int core;

  Doubling(World world, Region region, Reduction reduction) {
    this.world = world;
    this.region = region;
    this.reduction = reduction;
    sent = Region.wrap(Arena.ofAuto().allocate(region.size(), 8));
    core = Integer.highestOneBit(world.size());
  }

  Mono<Void> run(Tag tag) {
    long bytes = region.size();
    MemorySegment data = region.segment();
    Tag fold = tag.at(0, FOLD);
    Tag unfold = tag.at(0, UNFOLD);
    int rank = world.rank();
    if (rank >= core) {
      return world
          .send(rank - core, fold, region, 0, bytes)
          .then(world.receive(rank - core, unfold, bytes, data::copyFrom));
    }
    Mono<Void> rounds =
        Flux.range(0, Integer.numberOfTrailingZeros(core))
            .concatMap(round -> Mono.defer(() -> round(tag.at(0, round))), 1)
            .then(Mono.fromRunnable(() -> reduction.finish(data, world.size())));
    if (rank + core >= world.size()) {
      return rounds;
    }
    return world
        .receive(rank + core, fold, bytes, other -> reduction.accumulate(data, other))
        .then(rounds)
        .then(world.send(rank + core, unfold, region, 0, bytes));
  }

  private Mono<Void> round(Tag tag) {
    int other = world.rank() ^ (1 << tag.step());
    sent.segment().copyFrom(region.segment()); // what is being sent must not change
    return Mono.when(
        world.send(other, tag, sent, 0, sent.size()),
        world.receive(
            other, tag, sent.size(), data -> reduction.accumulate(region.segment(), data)));
  }
}
