package io.maestro.collective;

import io.maestro.api.MaestroException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * How a communicator ends: the first failure is told to all others before the calls here fail with
 * it, so that a rank whose application then ends is not taken for the one that was lost.
 */
final class Ending implements RankLink.Listener {

  /** How long calls are kept from failing while others are told. */
  private static final Duration TELL_LIMIT = Duration.ofSeconds(1);

  private final int rank;
  private final Scheduler timer;
  private final List<RankLink> links;
  private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
  private final Set<Integer> lost = ConcurrentHashMap.newKeySet();
  private final Sinks.Empty<Void> told = Sinks.empty();

  Ending(int rank, Scheduler timer, List<RankLink> links) {
    this.rank = rank;
    this.timer = timer;
    this.links = links;
  }

  /** Fails with the first failure; nothing happens before there is one. */
  Mono<Void> failure() {
    return told.asMono().then(Mono.error(this::cause));
  }

  /** Completes when there has been a failure and the others have been told. */
  Mono<Void> told() {
    return told.asMono();
  }

  boolean hasBegun() {
    return first.get() != null;
  }

  private Throwable cause() {
    Throwable cause = first.get();
    return cause == null ? new IllegalStateException("nothing has failed") : cause;
  }

  /** Ranks that are known to be gone. */
  Set<Integer> lost() {
    return Set.copyOf(lost);
  }

  @Override
  public void onFailure(Throwable cause) {
    end(cause, Notice.of(cause));
  }

  @Override
  public void onNotice(RankLink from, Notice notice) {
    MaestroException cause = notice.meaning(rank, from);
    if (notice.reason() == Notice.Reason.LEFT) {
      lost.add(from.rank());
      from.peerLeft(cause);
    } else {
      onFailure(cause);
    }
  }

  /** This rank ends the communicator of its own will. */
  void leave(Throwable cause) {
    end(cause, Notice.left(cause));
  }

  private void end(Throwable cause, Notice notice) {
    if (cause instanceof MaestroException.MemberLost member) {
      lost.add(member.rank());
    }
    if (!first.compareAndSet(null, cause)) {
      return;
    }
    links.forEach(RankLink::end);
    List<Mono<Void>> telling =
        links.stream()
            .filter(link -> !lost.contains(link.rank()))
            .map(link -> link.tell(notice).onErrorComplete())
            .toList();
    Mono.when(telling)
        .timeout(TELL_LIMIT, Mono.empty(), timer)
        .doFinally(signal -> told.tryEmitEmpty())
        .subscribe();
  }
}
