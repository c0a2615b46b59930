package io.maestro.collective;

import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/** Each rank reduces its block, by the ring, and hands it to the root. */
record Reduce(World world, int root, Blocks blocks, Ring ring) implements SliceWork {

  private static final int COLLECT = -1;

  @Override
  public int slices() {
    return ring.slices();
  }

  @Override
  public Mono<Void> slice(Tag tag) {
    return ring.slice(tag).then(Mono.defer(() -> collect(tag.at(tag.slice(), COLLECT))));
  }

  private Mono<Void> collect(Tag tag) {
    if (world.rank() != root) {
      return world.send(root, tag, blocks.piece(world.rank(), tag.slice()));
    }
    List<Mono<Void>> others = new ArrayList<>();
    for (int distance = 1; distance < world.size(); distance++) {
      int other = world.after(distance);
      others.add(world.receive(other, tag, blocks.piece(other, tag.slice())));
    }
    return Mono.when(others);
  }
}
