package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.Signals;
import java.util.List;
import org.junit.jupiter.api.Test;

class PathWindowTest {
  private static final int CHUNK = 50 * 1024;

  @Test
  void theWindowIsTwiceWhatIsInFlightAndABatch() {
    assertThat(PathWindow.windowBytes(1_000_000_000, 10_000_000, CHUNK, Long.MAX_VALUE))
        .isEqualTo(20_000_000 + 4 * CHUNK);
  }

  @Test
  void theWindowStaysBetween16ChunksAndItsLimit() {
    assertThat(PathWindow.windowBytes(0, 0, CHUNK, 4 << 20)).isEqualTo(16 * CHUNK);
    assertThat(PathWindow.windowBytes(Long.MAX_VALUE, Long.MAX_VALUE, CHUNK, 4 << 20))
        .isEqualTo(4 << 20);
    assertThat(PathWindow.windowBytes(0, 0, CHUNK, 2 * CHUNK)).isEqualTo(2 * CHUNK);
    assertThat(PathWindow.windowBytes(0, 0, CHUNK, 1)).isEqualTo(CHUNK);
  }

  @Test
  void equalWeightsGoToTheUsablePathsOnly() {
    double[] weights = new double[3];
    new EqualWeights().weigh(List.of(sample(0, true), sample(1, false), sample(2, true)), weights);
    assertThat(weights).containsExactly(0.5, 0, 0.5);
    new EqualWeights().weigh(List.of(sample(0, false)), weights);
    assertThat(weights[0]).isZero();
  }

  private static PathSample sample(int path, boolean usable) {
    return new PathSample(path, usable, 0, 0, 0, 0, Signals.NONE);
  }
}
