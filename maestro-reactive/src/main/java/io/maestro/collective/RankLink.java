package io.maestro.collective;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.api.SendOptions;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Objects;
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
  private final Agreement calls;
  private final DirectLane sends;
  private final DirectLane receives;
  private final Posts posts = new Posts();
  private final Map<Tag, Object> places = new ConcurrentHashMap<>(); // a Message or a Waiter
  private @Nullable Listener listener;
  private volatile boolean ended;
  private volatile @Nullable Throwable left;

  /** Is told when the calls cannot go on. */
  interface Listener {

    void onFailure(Throwable cause);

    void onNotice(RankLink from, Notice notice);
  }

  /**
   * A link that takes no messages yet.
   *
   * @param credits messages that the peer may be ahead of this rank
   */
  RankLink(Connection connection, int rank, int credits) {
    this.connection = connection;
    this.rank = rank;
    this.credits = credits;
    calls = new Agreement(rank, Tag.Kind.COLLECTIVE);
    sends = new DirectLane(rank);
    receives = new DirectLane(rank);
  }

  void start(Listener newListener) {
    listener = newListener;
    connection.receive().subscribe(this);
  }

  private Listener listener() {
    return Objects.requireNonNull(listener, "the link has been started");
  }

  /** On the calls of all ranks. */
  Agreement calls() {
    return calls;
  }

  /** Of direct calls to the peer. */
  DirectLane sends() {
    return sends;
  }

  /** Of direct calls from the peer. */
  DirectLane receives() {
    return receives;
  }

  /** Completes when the peer has the bytes, which are not copied. */
  Mono<Void> send(Tag tag, Piece piece) {
    return Mono.defer(
        () -> {
          Region region = piece.toRegion();
          return connection
              .send(region, options(tag, piece.bytes()))
              .doFinally(signal -> region.release())
              .onErrorMap(RankLink::meansLost, cause -> lost("it takes nothing", cause));
        });
  }

  /** Sends a region that is released then, without waiting; a failure ends the calls. */
  void post(Tag tag, Region region) {
    posts
        .sending(region, connection.send(region, options(tag, region.size())))
        .subscribe(none -> {}, this::notPosted);
  }

  /** A connection that is lost tells so itself, and one whose peer has left does not matter. */
  private void notPosted(Throwable cause) {
    if (left == null && !meansLost(cause)) {
      listener().onFailure(cause);
    }
  }

  private static boolean meansLost(Throwable cause) {
    return cause instanceof MaestroException.ConnectionLost
        || cause instanceof MaestroException.ReceiverCancelled;
  }

  /**
   * Tells the peer why this rank has ended the communicator. One that merely leaves lets the peer
   * have all that was posted first, which a call there may need.
   */
  Mono<Void> tell(Notice notice) {
    Mono<Void> said =
        Mono.using(notice::body, body -> send(notice.tag(), Piece.all(body)), Region::release);
    return notice.reason() == Notice.Reason.LEFT ? posts.idle().then(said) : said;
  }

  private static SendOptions options(Tag tag, long bytes) {
    SendOptions options = SendOptions.DEFAULT.withHeader(tag.encode());
    boolean urgent = bytes == 0 || tag.kind() == Tag.Kind.NOTICE;
    return urgent ? options.withPriority(URGENT) : options;
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
    } else {
      failIfAwaited();
    }
  }

  /**
   * The peer has left: what it sent before has come, so that calls which need no more of it go on.
   *
   * @param cause what others fail with
   */
  void peerLeft(Throwable cause) {
    left = cause;
    failIfAwaited();
  }

  private void failIfAwaited() {
    Throwable cause = left;
    if (cause != null && isAwaited()) {
      listener().onFailure(cause);
    }
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    request(credits);
  }

  @Override
  protected void hookOnNext(Message message) {
    if (ended) {
      drop(message);
      return;
    }
    try {
      Tag tag = Tag.decode(message.header());
      if (tag.kind() == Tag.Kind.NOTICE) {
        Notice notice = Notice.read(tag, message);
        drop(message);
        listener().onNotice(this, notice);
      } else {
        check(tag);
        place(tag, message);
      }
    } catch (MaestroException.Refused refused) {
      drop(message);
      listener().onFailure(refused);
    }
  }

  /** Makes room for the next, or the peer would wait until its deadline. */
  private void drop(Message message) {
    message.close();
    request(1);
  }

  private void check(Tag tag) {
    if (tag.kind() == Tag.Kind.COLLECTIVE) {
      calls.check(tag);
    } else if (Direct.isData(tag)) {
      receives.check(tag);
    }
  }

  private void place(Tag tag, Message message) {
    Object there = places.putIfAbsent(tag, message);
    if (there instanceof Waiter waiter && places.remove(tag, waiter)) {
      give(message, waiter);
    } else if (there != null) {
      drop(message); // nobody waits any more, or the peer sent it twice
    }
    if (ended && places.remove(tag, message)) {
      drop(message);
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
      drop(message);
    }
    waiter.sink.success();
  }

  @Override
  protected void hookOnComplete() {
    if (left == null) {
      listener().onFailure(lost("it has closed the connection", null));
    }
  }

  @Override
  protected void hookOnError(Throwable cause) {
    if (left == null) {
      listener().onFailure(lost("the connection broke", cause));
    }
  }

  /** The peer is gone. */
  MaestroException.MemberLost lost(String how, @Nullable Throwable cause) {
    return new MaestroException.MemberLost(
        "rank %d (%s) is gone, %s; form the communicator anew to go on without it"
            .formatted(rank, connection.peer(), how),
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

  /**
   * Gives back what nobody took, and what comes from now on: the peer's sends go on to succeed
   * until it has been told why.
   */
  void end() {
    ended = true;
    places.forEach(
        (tag, there) -> {
          if (there instanceof Message message && places.remove(tag, message)) {
            drop(message);
          }
        });
  }

  private record Waiter(MonoSink<Void> sink, long bytes, Consumer<MemorySegment> taker) {}
}
