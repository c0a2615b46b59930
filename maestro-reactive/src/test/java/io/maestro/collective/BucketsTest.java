package io.maestro.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.api.Region;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BucketsTest {

  private final Region region = Region.allocate(100);

  @Test
  void bucketsAreFilledFromTheEndAndTensorsAreNotCut() {
    Buckets buckets = Buckets.of(region, List.of(4L, 60L, 0L, 8L, 16L, 12L), 20);

    assertThat(buckets.inOrder())
        .extracting(Buckets.Bucket::piece)
        .containsExactly(
            new Piece(region, 72, 28), new Piece(region, 4, 68), new Piece(region, 0, 4));
    assertThat(buckets.sizes()).containsExactly(28L, 68L, 4L);
  }

  @Test
  void aBucketIsReadyWhenItsLastTensorIs() {
    Buckets buckets = Buckets.of(region, List.of(40L, 30L, 30L), 60);
    List<Integer> ready = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int bucket = i;
      buckets
          .inOrder()
          .get(bucket)
          .whenReady()
          .subscribe(none -> {}, failure -> {}, () -> ready.add(bucket));
    }
    buckets.ready(2);
    assertThat(ready).isEmpty();
    buckets.ready(0);
    assertThat(ready).containsExactly(1);
    buckets.ready(1);
    assertThat(ready).containsExactly(1, 0);
  }

  @Test
  void aTensorIsReadyOnce() {
    Buckets buckets = Buckets.of(region, List.of(50L, 50L));
    buckets.ready(1);
    assertThatThrownBy(() -> buckets.ready(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("tensor 1 was ready already");
  }

  @Test
  void tensorsFillTheRegion() {
    for (List<Long> sizes : List.of(List.of(99L), List.of(-1L, 101L), List.<Long>of())) {
      assertThatThrownBy(() -> Buckets.of(region, sizes))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
