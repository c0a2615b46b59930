package io.maestro.trainer.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.report.Interval;
import io.maestro.trainer.report.SyncFigures;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TrainingMetersTest {
  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

  private TrainingMeters meters(String... options) {
    return new TrainingMeters(registry, TrainerOptions.parse(List.of(options)).job());
  }

  @Test
  void stepsImagesLossAndTimeAreCounted() {
    TrainingMeters meters = meters("--batch=100", "--workers=2");
    meters.started();
    clock.add(Duration.ofMillis(30));
    meters.stepped(1, 0.75);
    clock.add(Duration.ofMillis(10));
    meters.stepped(2, 0.5);
    assertThat(registry.get("trainer.steps").counter().count()).isEqualTo(2);
    assertThat(registry.get("trainer.samples").counter().count()).isEqualTo(100);
    assertThat(registry.get("trainer.loss").gauge().value()).isEqualTo(0.5);
    assertThat(registry.get("trainer.step.duration").timer().totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(40);
  }

  @Test
  void accuracyIsThatOfTheLastEpochAndAbsentBefore() {
    TrainingMeters meters = meters();
    assertThat(registry.find("trainer.accuracy").gauge()).isNull();
    meters.ended(epoch(0.9));
    meters.ended(epoch(0.95));
    assertThat(registry.get("trainer.accuracy").gauge().value()).isEqualTo(0.95);
  }

  private static Interval epoch(double accuracy) {
    return new Interval(Interval.Unit.EPOCH, 1, 2, 0.1, accuracy, SyncFigures.none(), 1);
  }

  @Test
  void aModelThatIsOnlySynchronisedHasNeitherLossNorImages() {
    TrainingMeters meters = meters("--model=resnet50");
    meters.started();
    meters.stepped(1, null);
    assertThat(registry.find("trainer.loss").gauge()).isNull();
    assertThat(registry.find("trainer.samples").counter()).isNull();
    assertThat(registry.get("trainer.steps").counter().count()).isEqualTo(1);
  }

  @Test
  void theGuideListsTheMetersInTheCodesWords() throws Exception {
    List<String> rows =
        Files.readAllLines(Path.of("..", "docs", "metrics.md")).stream()
            .filter(line -> line.startsWith("| `trainer."))
            .toList();
    assertThat(rows)
        .containsExactly(
            Arrays.stream(TrainerMeter.values())
                .map(
                    meter ->
                        "| `%s` | %s | %s | %s |"
                            .formatted(meter.id(), meter.kind(), meter.unit(), meter.meaning()))
                .toArray(String[]::new));
  }
}
