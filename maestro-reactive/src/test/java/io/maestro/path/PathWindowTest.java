package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.PathSample;
import org.junit.jupiter.api.Test;

class PathWindowTest {
  private static final int CHUNK = 50 * 1024;

  private static PathSample sample(long minRttNs, long silenceNs) {
    return new PathSample(0, true, 0, 0, 0, 0, minRttNs, minRttNs, silenceNs, 0, 0, 0, 0);
  }

  @Test
  void theWindowOutlastsARoundTripAndASilenceTwice() {
    PathSample sample = sample(10_000_000, 4_000_000);
    assertThat(PathWindow.windowBytes(1_000_000_000, sample, CHUNK, Long.MAX_VALUE))
        .isEqualTo(28_000_000 + 8 * CHUNK);
  }

  @Test
  void aSilenceOfMoreThanFiftyMillisecondsIsNotOutlasted() {
    PathSample sample = sample(0, 10_000_000_000L);
    assertThat(PathWindow.windowBytes(1_000_000, sample, 1000, Long.MAX_VALUE))
        .isEqualTo(100_000 + 8 * 1000);
  }

  @Test
  void theWindowStaysBetweenEightChunksAndItsLimit() {
    PathSample nothing = sample(0, 0);
    PathSample endless = sample(Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);
    assertThat(PathWindow.windowBytes(0, nothing, CHUNK, 4 << 20)).isEqualTo(8 * CHUNK);
    assertThat(PathWindow.windowBytes(Long.MAX_VALUE, endless, CHUNK, 4 << 20)).isEqualTo(4 << 20);
    assertThat(PathWindow.windowBytes(0, nothing, CHUNK, 2 * CHUNK)).isEqualTo(2 * CHUNK);
    assertThat(PathWindow.windowBytes(0, nothing, CHUNK, 1)).isEqualTo(CHUNK);
  }

  @Test
  void whatKeepsAPathBusyIsWhatIsInFlightAndABatch() {
    assertThat(PathWindow.neededBytes(1_000_000_000, 300_000, CHUNK))
        .isEqualTo(300_000 + 4 * CHUNK);
    assertThat(PathWindow.neededBytes(1_000_000_000, 900_000, CHUNK)).isEqualTo(1_200_000);
    assertThat(PathWindow.neededBytes(1_000_000_000, 9_000_000, CHUNK))
        .isEqualTo(9_000_000 + 8 * CHUNK);
    assertThat(PathWindow.neededBytes(0, 0, CHUNK)).isEqualTo(4 * CHUNK);
  }

  @Test
  void thereIsAWindowToBeginWith() {
    assertThat(PathWindow.firstBytes(CHUNK, 4 << 20)).isEqualTo(16 * CHUNK);
    assertThat(PathWindow.firstBytes(CHUNK, 3 * CHUNK)).isEqualTo(3 * CHUNK);
    assertThat(PathWindow.firstBytes(CHUNK, 1)).isEqualTo(CHUNK);
  }
}
