package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Connection;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.api.SendOptions;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Random;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Messages in one direction; sizes are spread evenly over the powers of two. */
final class Traffic {
  private final Connection from;
  private final Connection to;
  private final long seed;
  private final Load load;
  private final BitSet arrived = new BitSet();
  private int failures;

  /** How many messages, and the power of two that none is larger than. */
  record Load(int count, int mostBits) {}

  Traffic(Connection from, Connection to, long seed, Load load) {
    this.from = from;
    this.to = to;
    this.seed = seed;
    this.load = load;
  }

  /** Completes when all are sent and received. */
  Mono<Void> run() {
    Mono<Void> sending = Flux.range(0, load.count).flatMap(this::send, 8).then();
    Mono<Void> receiving = to.receive().take(load.count).doOnNext(this::check).then();
    return Mono.when(receiving, sending);
  }

  private long size(int number) {
    double exponent = new Random(seed + number).nextDouble() * (load.mostBits + 1);
    return Math.min((long) (Math.pow(2, exponent) - 1), 1L << load.mostBits);
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

  synchronized int arrived() {
    return arrived.cardinality();
  }

  synchronized void assertNoneTorn() {
    assertThat(failures).as("messages that came twice or torn; seed %d", seed).isZero();
  }

  synchronized void assertAllArrivedOnceAndWhole() {
    assertNoneTorn();
    assertThat(arrived.cardinality()).as("seed %d", seed).isEqualTo(load.count);
  }
}
