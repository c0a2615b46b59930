package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Message;
import io.maestro.api.Region;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Many messages, many cancels, and no bound exceeded, on any provider. */
abstract class ConnectionLoadContract {
  private static final Duration LONG = Duration.ofMinutes(5);

  Rig rig;

  abstract Rig newRig();

  @BeforeEach
  void open() {
    rig = newRig();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void aThousandMessagesOfRandomSizesEachWayArriveOnceAndWhole() {
    long seed = 20261130;
    Pair pair = new Pair(rig, ConnectionContract.DEFAULTS);
    Traffic forth = new Traffic(pair.client, pair.server, seed, new Traffic.Load(1000, 26));
    Traffic back = new Traffic(pair.server, pair.client, seed + 1, new Traffic.Load(1000, 26));
    rig.all(Mono.when(forth.run(), back.run()), LONG);
    forth.assertAllArrivedOnceAndWhole();
    back.assertAllArrivedOnceAndWhole();
    pair.assertNothingLeased();
  }

  @Test
  void tenThousandRandomCancelsLeaveNothingLeased() {
    long seed = 42;
    Random random = new Random(seed);
    Pair pair = new Pair(rig, ConnectionContract.DEFAULTS);
    pair.server.receive().subscribe(Message::close);
    AtomicInteger ended = new AtomicInteger();
    Region small = Region.allocate(1000);
    Region large = Region.allocate(400_000);
    for (int i = 0; i < 10_000; i++) {
      Region region = random.nextInt(4) == 0 ? large : small;
      Disposable send =
          pair.client.send(region).doFinally(signal -> ended.incrementAndGet()).subscribe();
      if (random.nextBoolean()) {
        int known = ended.get();
        int others = i - known;
        rig.until(() -> others < 64 || ended.get() > known, Duration.ofSeconds(10));
      }
      send.dispose();
    }
    small.release();
    large.release();
    rig.until(() -> ended.get() == 10_000, LONG);
    pair.assertNothingLeased();
    try (Region region = Region.allocate(1_000_000)) {
      rig.one(pair.client.send(region));
    }
    pair.assertNothingLeased();
  }

  @Test
  void anUnlimitedPublisherAgainstOneRequestAtATimeHoldsNoMoreThanAFewMessages() {
    Pair pair = new Pair(rig, ConnectionContract.DEFAULTS);
    AtomicInteger made = new AtomicInteger();
    AtomicInteger got = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Flux<Region> endless =
        Flux.generate(
            sink -> {
              made.incrementAndGet();
              sink.next(Region.allocate(100_000));
            });
    Disposable sending = pair.client.send(endless).subscribe();
    var one =
        new BaseSubscriber<Message>() {
          @Override
          protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
            request(1);
          }

          @Override
          protected void hookOnNext(Message message) {
            most.accumulateAndGet(made.get() - got.incrementAndGet(), Math::max);
            message.close();
            request(1);
          }
        };
    pair.server.receive().subscribe(one);
    rig.until(() -> got.get() >= 2000, LONG);
    assertThat(most.get()).isLessThan(64);
    sending.dispose();
    one.cancel();
    pair.assertNothingLeased();
  }

  private static Mono<Void> sendAndRelease(Pair pair, Region region) {
    return pair.client.send(region).doFinally(signal -> region.release());
  }

  /** Small messages travel in receive buffers, and one too many would end its path. */
  @Test
  void aSlowReceiverIsNeverSentMoreThanItHasReceiveBuffersFor() {
    int messages = 3000;
    Pair pair = new Pair(rig, ConnectionContract.DEFAULTS);
    OnDemand slow = new OnDemand();
    pair.server.receive().subscribe(slow);
    AtomicInteger sent = new AtomicInteger();
    Flux.range(0, messages)
        .flatMap(i -> sendAndRelease(pair, Region.allocate(200)), 1000)
        .subscribe(ignored -> {}, failure -> sent.set(-1), () -> sent.set(messages));
    for (int asked = 1; slow.got.size() < messages; asked = Math.min(asked + 7, 100)) {
      int wanted = Math.min(messages, slow.got.size() + asked);
      slow.request(wanted - slow.got.size());
      rig.until(() -> slow.got.size() == wanted, LONG);
    }
    rig.until(() -> sent.get() != 0, LONG);
    assertThat(sent.get()).isEqualTo(messages);
    assertThat(pair.client.paths()).allMatch(path -> path.health().failovers() == 0);
    assertThat(pair.server.paths()).allMatch(path -> path.health().failovers() == 0);
    slow.got.forEach(Message::close);
    pair.assertNothingLeased();
  }
}
