package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Connection;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.api.SendOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
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
    Traffic forth = new Traffic(pair.client, pair.server, seed, 1000);
    Traffic back = new Traffic(pair.server, pair.client, seed + 1, 1000);
    rig.all(Mono.when(forth.run(), back.run()), LONG);
    assertThat(forth.failures + back.failures).as("seed %d", seed).isZero();
    assertThat(forth.arrived.cardinality()).isEqualTo(1000);
    assertThat(back.arrived.cardinality()).isEqualTo(1000);
    pair.assertNothingLeased();
  }

  /** Messages in one direction; sizes are spread evenly over the powers of two up to 64 MiB. */
  private static final class Traffic {
    private final Connection from;
    private final Connection to;
    private final long seed;
    private final int count;
    private final BitSet arrived = new BitSet();
    private int failures;

    Traffic(Connection from, Connection to, long seed, int count) {
      this.from = from;
      this.to = to;
      this.seed = seed;
      this.count = count;
    }

    Mono<Void> run() {
      Mono<Void> sending = Flux.range(0, count).flatMap(this::send, 8).then();
      Mono<Void> receiving = to.receive().take(count).doOnNext(this::check).then();
      return Mono.when(receiving, sending);
    }

    private long size(int number) {
      Random random = new Random(seed + number);
      double exponent = random.nextDouble() * 27;
      return (long) Math.min(Math.pow(2, exponent) - 1, 64 << 20);
    }

    private Mono<Void> send(int number) {
      Region region = Pair.random(size(number), seed + number);
      ByteBuffer header = ByteBuffer.allocate(4).putInt(number).flip();
      return from.send(region, SendOptions.DEFAULT.withHeader(header))
          .doFinally(signal -> region.release());
    }

    private synchronized void check(Message message) {
      int number = message.header().getInt();
      boolean whole = message.size() == size(number) && Pair.matches(message.data(), seed + number);
      if (!whole || arrived.get(number)) {
        failures++;
      }
      arrived.set(number);
      message.close();
    }
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
}
