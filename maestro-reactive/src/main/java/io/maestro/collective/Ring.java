package io.maestro.collective;

import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A slice around the ring, cut into one block for each rank: blocks are reduced on their way, and
 * the finished ones go around once more. Each rank sends {@code 2 (n - 1) / n} of the slice. Each
 * block is finished by one rank and copied to the others, so all have the same bits.
 */
record Ring(World world, Region region, Reduction reduction) implements SliceWork {

  @Override
  public Mono<Void> run(Tag tag, long offset, long bytes) {
    int ranks = world.size();
    return Flux.range(0, 2 * (ranks - 1))
        .concatMap(step -> step(tag.at(tag.slice(), step), offset, bytes), 1)
        .then();
  }

  private Mono<Void> step(Tag tag, long offset, long bytes) {
    int ranks = world.size();
    int outgoing = world.after(-tag.step());
    int incoming = world.after(-tag.step() - 1);
    long outFrom = start(outgoing, bytes);
    long inFrom = start(incoming, bytes);
    long outBytes = start(outgoing + 1, bytes) - outFrom;
    long inBytes = start(incoming + 1, bytes) - inFrom;
    MemorySegment target = region.segment().asSlice(offset + inFrom, inBytes);
    return Mono.when(
        world.send(world.after(1), tag, region, offset + outFrom, outBytes),
        world.receive(
            world.after(-1), tag, inBytes, data -> take(tag.step(), target, data, ranks)));
  }

  private void take(int step, MemorySegment target, MemorySegment data, int ranks) {
    if (step >= ranks - 1) {
      target.copyFrom(data);
      return;
    }
    reduction.accumulate(target, data);
    if (step == ranks - 2) {
      reduction.finish(target, ranks);
    }
  }

  /** Where a block begins in a slice. */
  private long start(int block, long bytes) {
    int size = reduction.type().bytes();
    return bytes / size * block / world.size() * size;
  }
}
