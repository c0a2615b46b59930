package io.maestro.collective;

import reactor.core.publisher.Mono;

/** Dissemination: in round {@code k} each rank tells the one {@code 2^k} after it. */
final class Barrier {

  private Barrier() {}

  static Mono<Void> run(World world, Tag tag) {
    Mono<Void> rounds = Mono.empty();
    for (int round = 0; 1 << round < world.size(); round++) {
      Tag next = tag.at(0, round);
      rounds = rounds.then(Mono.defer(() -> round(world, next)));
    }
    return rounds;
  }

  private static Mono<Void> round(World world, Tag tag) {
    int distance = 1 << tag.step();
    world.postSignal(world.after(distance), tag);
    return world.awaitSignal(world.after(-distance), tag);
  }
}
