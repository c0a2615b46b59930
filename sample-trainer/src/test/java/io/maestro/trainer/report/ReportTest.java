package io.maestro.trainer.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.sync.SyncStats;
import io.maestro.trainer.sync.SyncStats.PathBytes;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTest {

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final TrainerOptions.Job JOB = TrainerOptions.parse(List.of()).job();

  @TempDir Path folder;

  @Test
  void theReportOfARunHasTheFiguresOfAllWorkers() {
    RunReport report = report();

    assertThat(report.accuracy()).isEqualTo(0.97);
    assertThat(report.steps()).isEqualTo(2);
    assertThat(report.bytesMoved()).isEqualTo(800);
    assertThat(report.pathShares()).containsExactly(0.75, 0.25);
    assertThat(report.syncMsP50()).isCloseTo(2, within(0.01));
    assertThat(report.syncMsP99()).isCloseTo(4, within(0.01));
    assertThat(report.lostChunks()).isEqualTo(1);
    assertThat(report.lossCurve()).containsExactly(2.0, 1.0);
    // Each worker waited 3 ms on average, and 800 bytes moved meanwhile.
    assertThat(report.megabytesPerSecond()).isCloseTo(800 / 1e6 / 0.003, within(1e-6));
  }

  @Test
  void theFileHasTheNamesThatToolsLookFor() throws Exception {
    Path path = folder.resolve("new/folder/report.json");

    ReportFile.open(path, MAPPER).write(report());

    JsonNode json = MAPPER.readTree(Files.readString(path));
    assertThat(json.propertyNames())
        .contains(
            "accuracy",
            "steps",
            "bytesMoved",
            "pathShares",
            "syncMsP50",
            "syncMsP99",
            "lostChunks",
            "wallSeconds");
    assertThat(json.get("pathShares").size()).isEqualTo(2);
  }

  @Test
  void aRunThatComputesNothingHasNoAccuracy() {
    var result = new WorkerResult(0, 3, null, List.of(), SyncFigures.none(), 1);

    RunReport report = RunReport.of(JOB, circumstances(), List.of(), List.of(result));

    assertThat(MAPPER.valueToTree(report).has("accuracy")).isFalse();
  }

  @Test
  void aReportThatCannotBeWrittenIsFoundAtTheStart() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));

    assertThatThrownBy(() -> ReportFile.open(file.resolve("report.json"), MAPPER))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("the report cannot be written")
        .hasMessageContaining(file.toString());
  }

  @Test
  void eventsArriveInAnotherProcessAsTheyWere() {
    var lines = new EventLines(MAPPER);
    var interval = new Interval(Interval.Unit.EPOCH, 1, 5, 0.5, 0.9, figures(300, 100, 2, 4), 1.5);

    String line = lines.line(new ProcessEvent.Ended(interval));

    assertThat(line).doesNotContain("\n");
    var arrived = (ProcessEvent.Ended) lines.event(line).orElseThrow();
    assertThat(arrived.interval().loss()).isEqualTo(0.5);
    assertThat(arrived.interval().sync().moved()).isEqualTo(interval.sync().moved());
    assertThat(arrived.interval().sync().latencies().ms(100)).isCloseTo(4, within(0.01));
    assertThat(lines.event(lines.line(new ProcessEvent.Started())))
        .contains(new ProcessEvent.Started());
    assertThat(lines.event("ordinary output")).isEmpty();
  }

  static SyncFigures figures(long firstPath, long secondPath, long... latenciesMs) {
    var latencies = new Latencies();
    long sumNs = 0;
    for (long ms : latenciesMs) {
      latencies.record(ms * 1_000_000);
      sumNs += ms * 1_000_000;
    }
    long bytes = firstPath + secondPath;
    var paths = List.of(new PathBytes(0, firstPath), new PathBytes(1, secondPath));
    return new SyncFigures(
        1, new SyncStats(bytes / 2, bytes - bytes / 2, paths, 0), sumNs, latencies);
  }

  private static RunReport report() {
    SyncFigures first = figures(300, 100, 1, 2);
    SyncFigures second = figures(300, 100, 2, 1);
    SyncStats moved = second.moved();
    var withLoss =
        new SyncFigures(
            1,
            new SyncStats(moved.bytesSent(), moved.bytesReceived(), moved.paths(), 1),
            3_000_000,
            figures(0, 0, 2, 4).latencies());
    return RunReport.of(
        JOB,
        circumstances(),
        List.of(),
        List.of(
            new WorkerResult(0, 2, 0.97, List.of(1f, 0.5f), first, 1),
            new WorkerResult(1, 2, 0.97, List.of(3f, 1.5f), withLoss, 1)));
  }

  private static RunReport.Circumstances circumstances() {
    return new RunReport.Circumstances("test", 100, List.of(), 2);
  }
}
