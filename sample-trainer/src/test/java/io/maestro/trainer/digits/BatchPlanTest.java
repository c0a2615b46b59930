package io.maestro.trainer.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchPlanTest {

  private static final BatchPlan PLAN = new BatchPlan(8_500, 100, 42);

  @Test
  void anEpochTakesEveryImageOnce() {
    BatchPlan.Epoch epoch = PLAN.epoch(0);

    int[] taken =
        IntStream.range(0, PLAN.stepsPerEpoch())
            .flatMap(step -> IntStream.of(epoch.batch(step)))
            .sorted()
            .toArray();

    assertThat(taken).isEqualTo(IntStream.range(0, 8_500).toArray());
  }

  @Test
  void imagesThatFillNoWholeBatchAreLeftOut() {
    assertThat(new BatchPlan(250, 100, 1).stepsPerEpoch()).isEqualTo(2);
  }

  @Test
  void thePartsOfTheWorkersAreTheBatch() {
    BatchPlan.Epoch epoch = PLAN.epoch(3);
    for (int workers : new int[] {1, 2, 4, 5}) {
      int count = workers;
      int[] parts =
          IntStream.range(0, count)
              .flatMap(rank -> IntStream.of(epoch.part(7, rank, count)))
              .toArray();

      assertThat(parts).as("%d workers", workers).isEqualTo(epoch.batch(7));
    }
  }

  @Test
  void seedEpochAndStepAloneDecideABatch() {
    assertThat(new BatchPlan(8_500, 100, 42).epoch(1).batch(2)).isEqualTo(PLAN.epoch(1).batch(2));
    assertThat(PLAN.epoch(1).batch(3)).isNotEqualTo(PLAN.epoch(1).batch(2));
    assertThat(PLAN.epoch(2).batch(2)).isNotEqualTo(PLAN.epoch(1).batch(2));
    assertThat(new BatchPlan(8_500, 100, 43).epoch(1).batch(2))
        .isNotEqualTo(PLAN.epoch(1).batch(2));
  }

  @Test
  void aBatchLargerThanTheDataIsRefused() {
    assertThatThrownBy(() -> new BatchPlan(50, 100, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a batch of 100 cannot be taken from 50 images");
  }
}
