package io.maestro.trainer.role;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.trainer.sync.Sgd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SyntheticGradientsTest {

  private static final int VALUES = 100_000;
  private static final int WORKERS = 3;

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment parameters = vector();

  @Test
  void theParametersAfterAnyStepAreKnown() {
    List<MemorySegment> gradients = gradients();
    Sgd sgd = SyntheticGradients.sgd();
    for (int step = 1; step <= 20; step++) {
      sgd.step(parameters, gradients);

      assertThat(SyntheticGradients.wrongPeriods(parameters, WORKERS, step)).isZero();
      assertThat(SyntheticGradients.wrongSamples(parameters, WORKERS, step)).isZero();
    }
  }

  @Test
  void aSingleWrongParameterShowsInTheCheckOfAll() {
    SyntheticGradients.sgd().step(parameters, gradients());

    parameters.setAtIndex(ValueLayout.JAVA_FLOAT, VALUES - 1, 0.5f);

    assertThat(SyntheticGradients.wrongPeriods(parameters, WORKERS, 1)).isEqualTo(1);
  }

  @Test
  void aChunkThatNeverArrivedShowsInTheSamples() {
    SyntheticGradients.sgd().step(parameters, gradients());

    parameters.asSlice(4_096 * 7, 4_096).fill((byte) 0);

    assertThat(SyntheticGradients.wrongSamples(parameters, WORKERS, 1)).isPositive();
  }

  @Test
  void twoChunksInEachOthersPlaceShow() {
    SyntheticGradients.sgd().step(parameters, gradients());
    byte[] first = parameters.asSlice(0, 51_200).toArray(ValueLayout.JAVA_BYTE);

    MemorySegment.copy(parameters, 51_200, parameters, 0, 51_200);
    MemorySegment.copy(first, 0, parameters, ValueLayout.JAVA_BYTE, 51_200, 51_200);

    assertThat(SyntheticGradients.wrongSamples(parameters, WORKERS, 1)).isPositive();
  }

  private List<MemorySegment> gradients() {
    List<MemorySegment> gradients = new ArrayList<>();
    for (int rank = 0; rank < WORKERS; rank++) {
      MemorySegment gradient = vector();
      SyntheticGradients.fill(gradient, rank);
      gradients.add(gradient);
    }
    return gradients;
  }

  private MemorySegment vector() {
    return arena.allocate(VALUES * (long) Float.BYTES, 64);
  }
}
