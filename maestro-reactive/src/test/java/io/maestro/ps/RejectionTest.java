package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.maestro.api.MaestroException.Rejected;
import io.maestro.api.Region;
import io.maestro.ps.ParameterClient.InitialValues;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Every mistake is told to who made it, with the cure, and the job goes on. */
class RejectionTest {

  private static final List<TensorSpec> TENSORS = SynchronousTest.tensors(40, 3);

  private static void whileTraining(UnaryOperator<PsConfig.Builder> steps, Mistake mistake) {
    try (Cluster cluster =
            new Cluster(
                1,
                2,
                b -> steps.apply(b.workers(1).membership(PsConfig.Membership.ELASTIC)),
                ShardUpdate.sgd(0.5f, 0));
        Worker worker = cluster.worker(0, TENSORS)) {
      cluster.get(worker.joinAndInit());
      cluster.get(worker.train(2));
      mistake.make(cluster, worker);
      cluster.get(worker.step(3));
      cluster.get(worker.client().leave());
    }
  }

  private static void assertRejected(Throwable error, String reason, String cure) {
    assertThat(error).isInstanceOf(Rejected.class).hasMessageContaining(cure);
    assertThat(((Rejected) error).reason()).isEqualTo(reason);
  }

  private interface Mistake {
    void make(Cluster cluster, Worker trainer);
  }

  private static void assertJoinRejected(
      Cluster cluster, Worker newcomer, String reason, String cure) {
    assertRejected(cluster.error(newcomer.join()), reason, cure);
    newcomer.close();
  }

  @Test
  void aRankThatIsTaken() {
    whileTraining(
        b -> b,
        (cluster, trainer) ->
            assertJoinRejected(
                cluster, cluster.worker(0, TENSORS), "duplicate-rank", "worker 0 (host-0)"));
  }

  @Test
  void otherTensors() {
    whileTraining(
        b -> b,
        (cluster, trainer) ->
            assertJoinRejected(
                cluster,
                cluster.worker(1, SynchronousTest.tensors(40, 4)),
                "tensors-differ",
                "the same list"));
  }

  @Test
  void otherSettings() {
    whileTraining(
        b -> b,
        (cluster, trainer) -> {
          PsConfig settings =
              PsConfig.with(
                  b ->
                      b.scheduler(cluster.config().scheduler())
                          .clock(cluster.config().clock())
                          .workers(1)
                          .membership(PsConfig.Membership.ELASTIC)
                          .consistency(new Consistency.BoundedStaleness(2)));
          assertJoinRejected(
              cluster,
              cluster.worker(1, TENSORS, settings),
              "configuration-differs",
              "BoundedStaleness[staleness=2]");
        });
  }

  @Test
  void serversInAnotherOrder() {
    whileTraining(
        b -> b,
        (cluster, trainer) -> {
          Worker newcomer = cluster.worker(1, TENSORS);
          Collections.reverse(newcomer.connections);
          assertJoinRejected(cluster, newcomer, "configuration-differs", "in one order");
        });
  }

  @Test
  void moreWorkersThanMemoryAllows() {
    whileTraining(
        b -> b.memoryBytes(3 * 22 * 4),
        (cluster, trainer) ->
            assertJoinRejected(cluster, cluster.worker(1, TENSORS), "memory", "memoryBytes"));
  }

  @Test
  void aStepAheadOfItsTime() {
    whileTraining(
        b -> b,
        (cluster, trainer) ->
            assertRejected(cluster.error(trainer.step(4)), "out-of-step", "pull step 3 first"));
  }

  @Test
  void initialValuesThatDiffer() {
    whileTraining(
        b -> b,
        (cluster, trainer) -> {
          try (Worker newcomer = cluster.worker(1, TENSORS)) {
            newcomer.fill(3);
            cluster.get(newcomer.join());
            assertRejected(
                cluster.error(newcomer.client().init(newcomer.values, InitialValues.VERIFY)),
                "initial-values-differ",
                "same seed");
            newcomer.fill(0);
            cluster.get(newcomer.client().init(newcomer.values, InitialValues.VERIFY));
            assertThat(newcomer.read()).usingRecursiveComparison().isEqualTo(trainer.read());
            cluster.get(newcomer.client().leave());
          }
        });
  }

  @Test
  void aShardThatThisServerHasNot() {
    raw(Header.request(Op.PUSH, 7).withShard(99).withStep(1), 0, "unknown-shard");
  }

  @Test
  void aGradientOfTheWrongSize() {
    raw(Header.request(Op.PUSH, 7).withShard(0).withStep(1), 12, "wrong-size");
  }

  @Test
  void valuesForAShardThatIsTrained() {
    raw(Header.request(Op.INITIALISE, 7).withShard(0), 21 * 4, "already-initialised");
  }

  @Test
  void aRequestInAnotherWorkersName() {
    raw(Header.request(Op.PUSH, 0).withShard(0).withStep(3), 21 * 4, "not-a-member");
  }

  /** A worker of rank 7 that joins properly and then sends what it should not. */
  private static void raw(Header header, int bytes, String reason) {
    whileTraining(
        b -> b,
        (cluster, trainer) -> {
          ServerLink link = new ServerLink(cluster.connect("raw").getFirst(), 0);
          link.start();
          ShardPlan plan = ShardPlan.of(TENSORS, 2);
          Header hello = Header.request(Op.HELLO, 7).withArgument(plan.hash());
          cluster.get(link.call(hello, () -> Hello.of(cluster.config(), plan, 0).encode(), null));
          cluster.get(link.call(Header.request(Op.ENTER, 7).withStep(3)));
          assertRejected(
              cluster.error(link.call(header, () -> Region.allocate(bytes), null)), reason, "");
          cluster.get(link.call(Header.request(Op.LEAVE, 7)));
          link.close();
        });
  }

  @Test
  void aTooEarlyEntryIsTold() {
    whileTraining(
        b -> b,
        (cluster, trainer) -> {
          ServerLink link = new ServerLink(cluster.connect("raw").getFirst(), 0);
          link.start();
          ShardPlan plan = ShardPlan.of(TENSORS, 2);
          Header hello = Header.request(Op.HELLO, 7).withArgument(plan.hash());
          cluster.get(link.call(hello, () -> Hello.of(cluster.config(), plan, 0).encode(), null));
          assertThat(cluster.error(link.call(Header.request(Op.ENTER, 7).withStep(2))))
              .isInstanceOf(TooLate.class);
          assertRejected(
              cluster.error(link.call(Header.request(Op.PULL, 7))), "not-a-member", "join first");
        });
  }

  @Test
  void regionsThatDoNotFitTheTensors() {
    whileTraining(
        b -> b,
        (cluster, trainer) -> {
          ParameterClient client = trainer.client();
          assertThat(cluster.error(client.push(3, trainer.gradients.subList(0, 1))))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("one region for each of 2 tensors");
          List<Region> swapped = List.of(trainer.values.get(1), trainer.values.get(0));
          assertThat(cluster.error(client.pull(2, swapped)))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("160 bytes");
        });
  }

  @Test
  void twoPullsAtOnce() {
    whileTraining(
        b -> b,
        (cluster, trainer) -> {
          Mono<Long> pull = trainer.client().pull(2, trainer.values);
          assertThat(cluster.error(Mono.when(pull, pull)))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("another pull");
        });
  }

  @Test
  void twoTensorsOfOneName() {
    TensorSpec twice = new TensorSpec("same", 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ShardPlan.of(List.of(twice, twice), 1))
        .withMessageContaining("same");
  }

  @Test
  void anUpdateThatThrowsFailsTheJobWithItsCause() {
    ShardUpdate broken =
        (MemorySegment current,
            MemorySegment next,
            MemorySegment state,
            List<MemorySegment> gradients,
            int workers) -> {
          throw new ArithmeticException("no such step");
        };
    try (Cluster cluster = new Cluster(2, 1, b -> b.workers(1), broken);
        Worker worker = cluster.worker(0, TENSORS)) {
      cluster.get(worker.joinAndInit());
      assertRejected(cluster.error(worker.step(1)), "update-failed", "no such step");
      assertThat(cluster.error(cluster.server(0).finished()))
          .isInstanceOf(ArithmeticException.class);
    }
  }
}
