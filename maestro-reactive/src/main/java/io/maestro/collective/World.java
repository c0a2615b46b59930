package io.maestro.collective;

import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The ranks as an algorithm sees them.
 *
 * @param links by rank; the own place is null
 * @param scratch for what is posted
 */
record World(int rank, List<@Nullable RankLink> links, Scratch scratch) {

  private static final Piece NOTHING = Piece.all(Region.allocate(0));

  int size() {
    return links.size();
  }

  /** The rank that comes {@code distance} after this one, in a circle. */
  int after(int distance) {
    return Math.floorMod(rank + distance, size());
  }

  /** Completes when the peer has the bytes, which are not copied. */
  Mono<Void> send(int to, Tag tag, Piece piece) {
    return link(to).send(tag, piece);
  }

  /**
   * Sends a copy of some bytes without waiting for the peer to have them. For calls that cannot end
   * before the peer has answered in some way: waiting for its transport too would double the time.
   */
  void post(int to, Tag tag, MemorySegment bytes) {
    link(to).post(tag, scratch.copyOf(bytes));
  }

  /** A message without bytes, not waited for either. */
  void postSignal(int to, Tag tag) {
    link(to).post(tag, NOTHING.toRegion());
  }

  /** Completes when the message has come and {@code taker} has been given its bytes. */
  Mono<Void> receive(int from, Tag tag, long bytes, Consumer<MemorySegment> taker) {
    return link(from).receive(tag, bytes, taker);
  }

  /** Completes when the message has come and has been copied to its place. */
  Mono<Void> receive(int from, Tag tag, Piece place) {
    return receive(from, tag, place.bytes(), data -> place.memory().copyFrom(data));
  }

  /** A message without bytes. */
  Mono<Void> signal(int to, Tag tag) {
    return send(to, tag, NOTHING);
  }

  Mono<Void> awaitSignal(int from, Tag tag) {
    return receive(from, tag, 0, nothing -> {});
  }

  RankLink link(int other) {
    RankLink link = links.get(other);
    if (link == null) {
      throw new IllegalArgumentException("rank " + other + " is this rank");
    }
    return link;
  }
}
