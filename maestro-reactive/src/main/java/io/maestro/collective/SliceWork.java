package io.maestro.collective;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Work that is cut into slices, so that one is reduced while others travel. */
interface SliceWork {

  /** Bounds what a rank holds for a neighbour that is ahead: this many bytes a slice. */
  long SLICE_BYTES = 4L << 20;

  /** Slices under way at once. */
  int UNDER_WAY = 4;

  /** The number of slices, the same on all ranks. */
  int slices();

  /** One slice, whose number is in the tag. */
  Mono<Void> slice(Tag tag);

  /** All of them. */
  default Mono<Void> run(Tag tag) {
    return Flux.range(0, slices()).flatMap(slice -> slice(tag.at(slice, 0)), UNDER_WAY).then();
  }

  /** How many slices so many bytes have. */
  static int count(long bytes, long sliceBytes) {
    return Math.toIntExact(Math.ceilDiv(bytes, sliceBytes));
  }
}
