package io.maestro.collective;

import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Works one after the other, each begun when it may be. Their slices are numbered through and
 * overlap as those of one work do, so that nothing is idle between two of them.
 */
record Gated(List<Part> parts) {

  /**
   * One of the works.
   *
   * @param work its slices begin at {@code first}
   * @param whenReady completes when it may begin
   */
  record Part(SliceWork work, int first, Mono<Void> whenReady) {

    private Flux<Mono<Void>> slices(Tag tag) {
      Flux<Mono<Void>> slices =
          Flux.range(first, work.slices()).map(slice -> work.slice(tag.at(slice, 0)));
      return whenReady.thenMany(slices);
    }
  }

  Mono<Void> run(Tag tag) {
    return Flux.fromIterable(parts)
        .concatMap(part -> part.slices(tag), 1)
        .flatMap(slice -> slice, SliceWork.UNDER_WAY)
        .then();
  }
}
