package io.maestro.collective;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Blocks around the ring: first they are reduced on their way, each ending at its own rank, then
 * the finished ones go around once more. Each block is finished by one rank and copied to the
 * others, so all have the same bits. Each half sends {@code (n - 1) / n} of the region.
 *
 * @param from the first step: of {@code n - 1} that reduce and as many that gather
 * @param to the step after the last
 * @param reduction null when nothing is reduced
 */
record Ring(World world, Blocks blocks, @Nullable Reduction reduction, int from, int to)
    implements SliceWork {

  static Ring allReduce(World world, Blocks blocks, Reduction reduction) {
    return new Ring(world, blocks, reduction, 0, 2 * (world.size() - 1));
  }

  /** A ring for each bucket. */
  static Gated allReduce(World world, Buckets buckets, Reduction reduction) {
    List<Gated.Part> parts = new ArrayList<>();
    int first = 0;
    for (Buckets.Bucket bucket : buckets.inOrder()) {
      Blocks blocks = new Blocks(bucket.piece(), reduction.type().bytes(), world.size(), first);
      parts.add(new Gated.Part(allReduce(world, blocks, reduction), first, bucket.whenReady()));
      first += blocks.slices();
    }
    return new Gated(parts);
  }

  static Ring reduceScatter(World world, Blocks blocks, Reduction reduction) {
    return new Ring(world, blocks, reduction, 0, world.size() - 1);
  }

  static Ring allGather(World world, Blocks blocks) {
    return new Ring(world, blocks, null, world.size() - 1, 2 * (world.size() - 1));
  }

  @Override
  public int slices() {
    return blocks.slices();
  }

  @Override
  public Mono<Void> slice(Tag tag) {
    return Flux.range(from, to - from).concatMap(step -> step(tag.at(tag.slice(), step)), 1).then();
  }

  private Mono<Void> step(Tag tag) {
    Piece outgoing = blocks.piece(world.after(-tag.step() - 1), tag.slice());
    Piece incoming = blocks.piece(world.after(-tag.step() - 2), tag.slice());
    return Mono.when(
        world.send(world.after(1), tag, outgoing),
        world.receive(
            world.after(-1),
            tag,
            incoming.bytes(),
            data -> take(tag.step(), incoming.memory(), data)));
  }

  private void take(int step, MemorySegment target, MemorySegment data) {
    int lastReducing = world.size() - 2;
    if (reduction == null || step > lastReducing) {
      target.copyFrom(data);
      return;
    }
    reduction.accumulate(target, data);
    if (step == lastReducing) {
      reduction.finish(target, world.size());
    }
  }
}
