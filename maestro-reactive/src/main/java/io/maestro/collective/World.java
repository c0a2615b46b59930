package io.maestro.collective;

import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The ranks as an algorithm sees them; the own place in {@code links} is null. */
record World(int rank, List<@Nullable RankLink> links) {

  private static final Region NOTHING = Region.allocate(0);

  int size() {
    return links.size();
  }

  /** The rank that comes {@code distance} after this one, in a circle. */
  int after(int distance) {
    return Math.floorMod(rank + distance, size());
  }

  Mono<Void> send(int to, Tag tag, Region region, long offset, long bytes) {
    return link(to).send(tag, region, offset, bytes);
  }

  Mono<Void> receive(int from, Tag tag, long bytes, Consumer<MemorySegment> taker) {
    return link(from).receive(tag, bytes, taker);
  }

  /** A message without bytes. */
  Mono<Void> signal(int to, Tag tag) {
    return link(to).send(tag, NOTHING, 0, 0);
  }

  Mono<Void> awaitSignal(int from, Tag tag) {
    return link(from).receive(tag, 0, nothing -> {});
  }

  private RankLink link(int other) {
    RankLink link = links.get(other);
    if (link == null) {
      throw new IllegalArgumentException("rank " + other + " is this rank");
    }
    return link;
  }
}
