package io.maestro.collective;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.api.SendOptions;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The connection with one other rank: brings messages and those who wait for them together. */
final class RankLink extends BaseSubscriber<Message> {

  private static final int URGENT = 7;

  private final Connection connection;
  private final int rank;
  private final int credits;
  private final Consumer<Throwable> onFailure;
  private final Map<Tag, Object> places = new ConcurrentHashMap<>(); // a Message or a Waiter
  private volatile @Nullable Throwable ended;

  /**
   * A link that takes no messages yet.
   *
   * @param credits messages that the peer may be ahead of this rank
   */
  RankLink(Connection connection, int rank, int credits, Consumer<Throwable> onFailure) {
    this.connection = connection;
    this.rank = rank;
    this.credits = credits;
    this.onFailure = onFailure;
  }

  void start() {
    connection.receive().subscribe(this);
  }

  /** Completes when the peer has the bytes, which are not copied. */
  Mono<Void> send(Tag tag, Region region, long offset, long bytes) {
    return Mono.defer(
        () -> {
          Throwable end = ended;
          if (end != null) {
            return Mono.error(end);
          }
          region.retain();
          Region piece = Region.wrap(region.segment().asSlice(offset, bytes), region::release);
          return connection
              .send(piece, options(tag, bytes))
              .doFinally(signal -> piece.release())
              .onErrorMap(MaestroException.ConnectionLost.class, this::lost);
        });
  }

  private static SendOptions options(Tag tag, long bytes) {
    SendOptions options = SendOptions.DEFAULT.withHeader(tag.encode());
    return bytes == 0 ? options.withPriority(URGENT) : options;
  }

  /** Completes when the message has come and {@code taker} has been given its bytes. */
  Mono<Void> receive(Tag tag, long bytes, Consumer<MemorySegment> taker) {
    return Mono.create(sink -> await(tag, new Waiter(sink, bytes, taker)));
  }

  private void await(Tag tag, Waiter waiter) {
    Object there = places.putIfAbsent(tag, waiter);
    waiter.sink.onDispose(() -> places.remove(tag, waiter));
    if (there instanceof Message message && places.remove(tag, message)) {
      give(message, waiter);
      return;
    }
    Throwable end = ended;
    if (end != null && (there != null || places.remove(tag, waiter))) {
      waiter.sink.error(end);
    }
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    request(credits);
  }

  @Override
  protected void hookOnNext(Message message) {
    try {
      place(Tag.decode(message.header()), message);
    } catch (MaestroException.Refused unreadable) {
      message.close();
      onFailure.accept(unreadable);
    }
  }

  private void place(Tag tag, Message message) {
    Object there = places.putIfAbsent(tag, message);
    if (there instanceof Waiter waiter && places.remove(tag, waiter)) {
      give(message, waiter);
    } else if (there != null) {
      message.close(); // nobody waits any more, or the peer sent it twice
    }
    if (ended != null && places.remove(tag, message)) {
      message.close();
    }
  }

  private void give(Message message, Waiter waiter) {
    try {
      if (message.size() != waiter.bytes) {
        throw new MaestroException.Refused(
            "rank %d sent %d bytes where %d were due: give regions of one size on all ranks"
                .formatted(rank, message.size(), waiter.bytes),
            null);
      }
      waiter.taker.accept(message.data());
    } catch (RuntimeException e) {
      waiter.sink.error(e);
      return;
    } finally {
      message.close();
      request(1);
    }
    waiter.sink.success();
  }

  @Override
  protected void hookOnComplete() {
    onFailure.accept(lost(null));
  }

  @Override
  protected void hookOnError(Throwable cause) {
    onFailure.accept(lost(cause));
  }

  private MaestroException lost(@Nullable Throwable cause) {
    return new MaestroException.MemberLost(
        "rank %d (%s) is gone; form a communicator of the others to go on without it"
            .formatted(rank, connection.peer()),
        rank,
        connection.peer(),
        cause);
  }

  boolean isAwaited() {
    return places.values().stream().anyMatch(Waiter.class::isInstance);
  }

  int rank() {
    return rank;
  }

  /** Takes no more messages, gives back those that nobody took, and fails those who wait. */
  void end(Throwable cause) {
    ended = cause;
    cancel();
    places.forEach(
        (tag, there) -> {
          if (places.remove(tag, there)) {
            if (there instanceof Message message) {
              message.close();
            } else if (there instanceof Waiter waiter) {
              waiter.sink.error(cause);
            }
          }
        });
  }

  private record Waiter(MonoSink<Void> sink, long bytes, Consumer<MemorySegment> taker) {}
}
