package io.maestro.collective;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Dissemination: in round {@code k} each rank tells the one {@code 2^k} after it. */
final class Barrier {

  private Barrier() {}

  static Mono<Void> run(World world, Tag tag) {
    int rounds = Integer.SIZE - Integer.numberOfLeadingZeros(world.size() - 1);
    return Flux.range(0, rounds).concatMap(round -> round(world, tag.at(0, round)), 1).then();
  }

  private static Mono<Void> round(World world, Tag tag) {
    int distance = 1 << tag.step();
    return Mono.when(
        world.signal(world.after(distance), tag), world.awaitSignal(world.after(-distance), tag));
  }
}
