package io.maestro.trainer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTextTest {

  private final ProgressText text = new ProgressText(StandardCharsets.UTF_8);

  @Test
  void anEpochIsOneLineWithLossAccuracySyncRateAndShares() {
    SyncFigures sync = ReportTest.figures(3_000_000, 1_000_000, 2, 2, 2);
    var epoch = new Interval(Interval.Unit.EPOCH, 2, 5, 0.1234, 0.9712, sync, 1.25);

    assertThat(text.line(epoch))
        .isEqualTo(
            "epoch 2/5  loss 0.1234  accuracy 97.12 %  sync 2.0 ms (p99 2.0)  667 MB/s  "
                + "paths ████ 75 % █▍ 25 %  1.3 s");
  }

  @Test
  void aStepWithoutComputingShowsOnlyTheSynchronisation() {
    SyncFigures sync = ReportTest.figures(1_000_000, 1_000_000, 4);
    var step = new Interval(Interval.Unit.STEP, 1, 10, null, null, sync, 0.5);

    assertThat(text.line(step))
        .isEqualTo("step 1/10  sync 4.0 ms  500 MB/s  paths ████ 50 % ████ 50 %  0.5 s");
  }

  @Test
  void aTerminalWithoutBlockElementsGetsNumberSigns() {
    var bar = new ShareBar(StandardCharsets.US_ASCII);

    assertThat(bar.line(List.of(0.5, 0.25, 0.25))).isEqualTo("#### 50 % ## 25 % ## 25 %");
  }

  @Test
  void noPathsAreNoBars() {
    assertThat(new ShareBar(StandardCharsets.UTF_8).line(List.of())).isEmpty();
  }

  @Test
  void intervalsOfSeveralWorkersAreOne() {
    var first = new Interval(Interval.Unit.EPOCH, 1, 5, 1.0, 0.9, ReportTest.figures(10, 10, 1), 1);
    var second =
        new Interval(Interval.Unit.EPOCH, 1, 5, 2.0, 0.9, ReportTest.figures(10, 10, 3), 2);

    Interval both = Interval.together(List.of(first, second));

    assertThat(both.loss()).isEqualTo(1.5);
    assertThat(both.accuracy()).isEqualTo(0.9);
    assertThat(both.seconds()).isEqualTo(2);
    assertThat(both.sync().moved().bytes()).isEqualTo(40);
    assertThat(both.sync().syncSeconds()).isEqualTo(0.002);
  }
}
