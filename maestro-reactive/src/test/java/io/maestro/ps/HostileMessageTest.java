package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import io.maestro.api.SendOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class HostileMessageTest {

  private static final List<TensorSpec> TENSORS = SynchronousTest.tensors(60, 0, 500);
  private static final int MESSAGES = 3_000;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void noiseNeitherStopsTheServerNorChangesWhatItComputes(long seed) {
    Random random = new Random(seed);
    try (Cluster cluster =
            new Cluster(
                seed,
                1,
                b -> b.workers(2).membership(PsConfig.Membership.ELASTIC),
                ShardUpdate.sgd(0.1f, 0.9f));
        Worker one = cluster.worker(0, TENSORS);
        Worker two = cluster.worker(1, TENSORS)) {
      cluster.get(Mono.when(one.joinAndInit(), two.joinAndInit()));
      Connection noise = cluster.connect("noise").getFirst();
      noise.receive().subscribe(message -> message.close());
      CompletableFuture<Void> training = cluster.begin(Mono.when(one.train(20), two.train(20)));
      for (int i = 0; i < MESSAGES; i++) {
        Region payload = Region.allocate(random.nextInt(100));
        SendOptions options = SendOptions.DEFAULT.withHeader(noise(random));
        noise.send(payload, options).doFinally(s -> payload.release()).subscribe(n -> {}, e -> {});
        if (i % 10 == 0) {
          cluster.pass(Duration.ofNanos(500_000));
        }
      }
      cluster.await(training);
      training.join();
      assertThat(one.read().getLast())
          .isEqualTo(Gradients.train(new float[500], 2, 20, 0.1f, 0.9f));
      assertThat(cluster.server(0).statistics().refused()).isGreaterThan(MESSAGES / 2);
    }
  }

  /** Half of it bytes at random, half of it headers with random content. */
  private static ByteBuffer noise(Random random) {
    if (random.nextBoolean()) {
      byte[] bytes = new byte[random.nextInt(100)];
      random.nextBytes(bytes);
      return ByteBuffer.wrap(bytes);
    }
    Op[] ops = Op.values();
    Header header =
        Header.request(ops[random.nextInt(ops.length)], random.nextInt(3) - 1)
            .withRequest(random.nextLong())
            .withStep(random.nextInt(5))
            .withShard(random.nextInt(6) - 1)
            .withArgument(random.nextLong())
            .withTimeoutMs(random.nextInt());
    ByteBuffer bytes = header.encode();
    if (random.nextInt(4) == 0) {
      bytes.put(random.nextInt(bytes.limit()), (byte) random.nextInt());
    }
    return bytes;
  }

  @Test
  void anAnswerThatCannotBeReadFailsTheCallNamingTheServer() {
    try (Cluster cluster = new Cluster(5, 1, b -> b.workers(1), ShardUpdate.average())) {
      List<MemoryConnection> pair = MemoryConnection.pair(cluster.network(), "me", "odd");
      pair.getLast().receive().subscribe(message -> message.close());
      CompletableFuture<ParameterClient> join =
          cluster.begin(
              ParameterClient.join(List.of(pair.getFirst()), 0, TENSORS, cluster.config()));
      Region nothing = Region.allocate(0);
      pair.getLast().send(nothing).subscribe(n -> {}, e -> {});
      cluster.await(join);
      nothing.release();
      assertThat(join.exceptionNow())
          .isInstanceOf(MaestroException.Refused.class)
          .hasMessageContaining("server 0 (odd)");
    }
  }

  @Test
  void aHeaderSurvivesItsWayAndLongTextIsCut() {
    Header header =
        new Header(Op.EXCHANGE, Status.OK, 1L << 40, 1L << 50, -1, 3, Long.MIN_VALUE, 77, "text ü");
    assertThat(Header.decode(header.encode())).isEqualTo(header);
    Header longer = header.answer(Status.DEADLINE, 4, "x".repeat(5_000));
    assertThat(longer.encode().remaining()).isLessThanOrEqualTo(SendOptions.MAX_HEADER_BYTES);
  }

  @Test
  void aGreetingSurvivesItsWayAndACutOneIsRefused() {
    PsConfig config =
        PsConfig.with(b -> b.workers(3).consistency(new Consistency.BoundedStaleness(2)));
    Hello hello = Hello.of(config, ShardPlan.of(TENSORS, 2), 1);
    try (Region bytes = hello.encode()) {
      assertThat(Hello.decode(bytes.segment())).isEqualTo(hello);
      for (long length = 0; length < bytes.size(); length++) {
        long cut = length;
        assertThatExceptionOfType(Refusal.class)
            .isThrownBy(() -> Hello.decode(bytes.segment().asSlice(0, cut)));
      }
    }
  }
}
