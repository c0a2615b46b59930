package io.maestro.collective;

import io.maestro.api.Region;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Slices along a binomial tree. A child confirms what it has taken, or a root could fill the memory
 * of ranks that are calls behind.
 */
record Broadcast(World world, int root, Region region) implements SliceWork {

  private static final int DATA = 0;
  private static final int TAKEN = 1;

  @Override
  public int slices() {
    return SliceWork.count(region.size(), SLICE_BYTES);
  }

  @Override
  public Mono<Void> slice(Tag tag) {
    int place = Math.floorMod(world.rank() - root, world.size());
    Piece piece = Piece.all(region).slice(tag.slice(), SLICE_BYTES);
    List<Mono<Void>> children = new ArrayList<>();
    int reach = place == 0 ? Integer.highestOneBit(world.size()) : Integer.lowestOneBit(place) >> 1;
    for (int distance = reach; distance > 0; distance >>= 1) {
      if (place + distance < world.size()) {
        int child = world.after(distance);
        children.add(
            Mono.when(
                world.send(child, tag.at(tag.slice(), DATA), piece),
                world.awaitSignal(child, tag.at(tag.slice(), TAKEN))));
      }
    }
    Mono<Void> down = Mono.when(children);
    return place == 0 ? down : fromParent(tag, piece, place).then(down);
  }

  private Mono<Void> fromParent(Tag tag, Piece piece, int place) {
    int parent = world.after(-Integer.lowestOneBit(place));
    return world
        .receive(parent, tag.at(tag.slice(), DATA), piece)
        .then(world.signal(parent, tag.at(tag.slice(), TAKEN)));
  }
}
