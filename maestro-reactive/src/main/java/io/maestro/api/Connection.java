package io.maestro.api;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A session with one peer over several paths.
 *
 * <p>Methods may be called from any thread and never block. Publishers are cold: a send happens
 * when it is subscribed to, once for each subscription. Signals are delivered on the configured
 * scheduler, never on an event loop unless that was asked for. When the connection ends, every
 * pending publisher ends with an error.
 */
public interface Connection {

  /** Sends a region as one message; see {@link #send(Region, SendOptions)}. */
  default Mono<Void> send(Region message) {
    return send(message, SendOptions.DEFAULT);
  }

  /**
   * Sends a region as one message. Completes when the peer has all of it; the region is retained
   * until then and must not be changed. Waits, holding no memory, while the peer's subscriber has
   * no demand or its memory budget no room.
   *
   * <p>Cancelling stops the message: the peer never sees it unless it was already complete. Errors
   * are {@link MaestroException}s.
   */
  Mono<Void> send(Region message, SendOptions options);

  /**
   * Sends each region as a message, requesting regions no faster than the peer takes messages, and
   * releases each when it has been sent. Completes when all are sent; the first failure cancels the
   * source and those under way.
   */
  Mono<Void> send(Publisher<Region> messages);

  /**
   * The incoming messages. One subscriber at a time. Its {@code request(n)} is what the peer may
   * send: without demand nothing is sent and nothing is buffered here. Cancelling ends messages
   * that are under way with {@link MaestroException.ReceiverCancelled} at the peer; a later
   * subscriber may follow.
   */
  Flux<Message> receive();

  /**
   * Lets this peer, on this connection, read or write a region until {@link #revoke}; the region is
   * retained until then.
   */
  RemoteRegion export(Region region, Set<RemoteAccess> access);

  /** Ends an export. Unknown handles are ignored. */
  void revoke(RemoteRegion handle);

  /**
   * Writes all of {@code source} into the peer's memory at {@code offset} of {@code target}, over
   * all paths, without its taking part. Completes when the bytes are there.
   */
  Mono<Void> write(Region source, RemoteRegion target, long offset);

  /**
   * Reads {@code target.size()} bytes of the peer's memory at {@code offset} of {@code source} into
   * all of {@code target}, over all paths, without its taking part.
   */
  Mono<Void> read(RemoteRegion source, long offset, Region target);

  /** A report of each path, by id. */
  List<PathReport> paths();

  /**
   * Messages that the peer would take now beyond those that have been begun: what its subscriber
   * has asked for, as far as it has been told. At 0 a send waits.
   *
   * @return {@link PathSample#ABSENT} when this connection does not know
   */
  default long credits() {
    return PathSample.ABSENT;
  }

  /**
   * What happens to the paths from the subscription on, until the connection ends. Never fails. A
   * subscriber that is slow misses the oldest of more than 64 events that wait for it; it holds up
   * nobody.
   */
  default Flux<PathEvent> pathEvents() {
    return Flux.empty();
  }

  /**
   * Samples of each path while chunks are moving, about one per round trip, at least every 100 ms.
   * Bounded: a subscriber that is slow misses the oldest. Completes when the connection ends.
   */
  Flux<PathSample> samples();

  /**
   * Measures the round-trip time of a path and what it can carry, by a transfer of its own on the
   * path's route, beside what the connection sends. Only the side that connected can; the peer
   * takes part without its user's doing. A source port that is known to lead the same way is
   * needed: {@link PathMeasurement#onItsRoute} says whether there was one.
   *
   * <p>Fails with a {@link MaestroException} when the peer does not answer. Cancelling ends it.
   *
   * @param path id of the path
   * @param duration how long to transfer, 10 ms to 10 s; it ends after that and a few round trips
   */
  default Mono<PathMeasurement> measure(int path, Duration duration) {
    return Mono.error(
        new MaestroException.Unsupported("this connection cannot measure paths", null));
  }

  /** The peer's name, as it gave it when connecting; its address when it gave none. */
  String peer();

  /** Ends the connection in order once the sends under way are done or the close timeout passes. */
  Mono<Void> close();

  /**
   * Completes when the connection has ended in order; fails with {@link
   * MaestroException.ConnectionLost} when it broke.
   */
  Mono<Void> onClose();

  /** What a peer may do with an exported region. */
  enum RemoteAccess {
    /** Read its bytes. */
    READ,
    /** Write its bytes. */
    WRITE
  }
}
