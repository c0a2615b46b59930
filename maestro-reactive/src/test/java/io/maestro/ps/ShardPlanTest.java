package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardPlanTest {

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void everyElementHasOneServerAndSharesAreEqual(long seed) {
    Random random = new Random(seed);
    List<TensorSpec> tensors = new ArrayList<>();
    for (int i = random.nextInt(20); i >= 0; i--) {
      long size = random.nextInt(4) == 0 ? random.nextInt(2) : random.nextInt(5_000_000);
      tensors.add(new TensorSpec("t" + i, size));
    }
    int servers = 1 + random.nextInt(9);
    ShardPlan plan = ShardPlan.of(tensors, servers);
    assertCovered(plan);
    long total = tensors.stream().mapToLong(TensorSpec::elements).sum();
    for (int server = 0; server < servers; server++) {
      long share = plan.shardsOf(server).stream().mapToLong(Shard::elements).sum();
      assertThat(share).as("seed %d", seed).isBetween(total / servers, total / servers + 1);
    }
    assertThat(ShardPlan.of(List.copyOf(tensors), servers)).isEqualTo(plan);
  }

  private static void assertCovered(ShardPlan plan) {
    int tensor = -1;
    long next = 0;
    int server = 0;
    for (Shard shard : plan.shards()) {
      if (shard.tensor() != tensor) {
        assertThat(tensor < 0 || next == plan.tensors().get(tensor).elements()).isTrue();
        assertThat(shard.tensor()).isEqualTo(++tensor);
        next = 0;
      }
      assertThat(shard.offset()).isEqualTo(next);
      assertThat(shard.elements()).isLessThanOrEqualTo(ShardPlan.MAX_SHARD_ELEMENTS);
      assertThat(shard.server()).isGreaterThanOrEqualTo(server);
      server = shard.server();
      next += shard.elements();
    }
    assertThat(tensor).isEqualTo(plan.tensors().size() - 1);
  }

  @Test
  void fewerElementsThanServersLeaveSomeEmpty() {
    ShardPlan plan = ShardPlan.of(List.of(new TensorSpec("two", 2), new TensorSpec("none", 0)), 5);
    assertThat(plan.shards()).hasSize(3);
    assertThat(plan.shards().stream().mapToLong(Shard::elements).sum()).isEqualTo(2);
  }

  @Test
  void otherNamesSizesOrServersGiveAnotherHash() {
    TensorSpec tensor = new TensorSpec("w", 10);
    long hash = ShardPlan.of(List.of(tensor), 2).hash();
    assertThat(ShardPlan.of(List.of(tensor), 3).hash()).isNotEqualTo(hash);
    assertThat(ShardPlan.of(List.of(new TensorSpec("v", 10)), 2).hash()).isNotEqualTo(hash);
    assertThat(ShardPlan.of(List.of(new TensorSpec("w", 11)), 2).hash()).isNotEqualTo(hash);
  }

  @Test
  void sharesOfManyTerabytesDoNotOverflow() {
    long huge = 3L << 38;
    ShardPlan plan = ShardPlan.of(List.of(new TensorSpec("huge", huge)), 7);
    assertThat(plan.shards().stream().mapToLong(Shard::elements).sum()).isEqualTo(huge);
  }
}
