package io.maestro.collective;

import io.maestro.api.Region;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What is done with each slice of a region. */
@FunctionalInterface
interface SliceWork {

  /** Bounds what a rank holds for a neighbour that is ahead: this many bytes a slice. */
  long SLICE_BYTES = 4L << 20;

  /** Slices under way at once: one is reduced while others are sent and received. */
  int UNDER_WAY = 4;

  Mono<Void> run(Tag tag, long offset, long bytes);

  default Mono<Void> overAll(Region region, Tag tag) {
    int count = Math.toIntExact(Math.ceilDiv(region.size(), SLICE_BYTES));
    return Flux.range(0, count)
        .flatMap(
            slice -> {
              long offset = slice * SLICE_BYTES;
              long bytes = Math.min(SLICE_BYTES, region.size() - offset);
              return run(tag.at(slice, 0), offset, bytes);
            },
            UNDER_WAY)
        .then();
  }
}
