package io.maestro.ps;

import io.maestro.api.Region;

/** A piece of a region. */
record Slice(Region region, long offset, long bytes) {

  static Slice of(Shard shard, Region tensor) {
    return new Slice(tensor, shard.offsetBytes(), shard.bytes());
  }

  /** The piece as a region that holds the whole one until it is released; nothing is copied. */
  Region open() {
    region.retain();
    return Region.wrap(region.segment().asSlice(offset, bytes), region::release);
  }
}
