package io.maestro.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the program as a user does, in processes of its own. */
@Timeout(300)
class LocalRunIT {

  @TempDir Path folder;

  @Test
  void twoWorkersAsProcessesLearnWhatOneProcessLearns() throws Exception {
    JsonNode distributed = report("--epochs=3");
    JsonNode single = report("--epochs=3", "--role=single");

    assertThat(distributed.get("accuracy").doubleValue()).isGreaterThanOrEqualTo(0.95);
    assertThat(distributed.get("steps").intValue()).isEqualTo(255);
    assertThat(distributed.get("lostChunks").longValue()).isZero();
    for (int step = 0; step < 85; step++) {
      assertThat(distributed.get("lossCurve").get(step).doubleValue())
          .as("step %d", step)
          .isCloseTo(single.get("lossCurve").get(step).doubleValue(), within(1e-4));
    }
  }

  @Test
  void workersThatAllReduceLearnWhatOneProcessLearns() throws Exception {
    JsonNode distributed = report("--epochs=1", "--sync=allreduce");
    JsonNode single = report("--epochs=1", "--role=single");

    assertThat(distributed.get("steps").intValue()).isEqualTo(85);
    for (int step = 0; step < 85; step++) {
      assertThat(distributed.get("lossCurve").get(step).doubleValue())
          .as("step %d", step)
          .isCloseTo(single.get("lossCurve").get(step).doubleValue(), within(1e-4));
    }
  }

  @Test
  void aLargeModelIsAllReducedWhole() throws Exception {
    JsonNode report = report("--model=resnet50", "--steps=3", "--workers=3", "--sync=allreduce");

    // 25,557,032 parameters of 4 bytes; each of 3 workers sends and receives 4/3 of them, 3 times.
    assertThat(report.get("bytesMoved").longValue())
        .isCloseTo(25_557_032L * 4 * 3 * 3 * 2 * 4 / 3, within(100L));
  }

  @Test
  void theParametersOfALargeModelArriveWhole() throws Exception {
    JsonNode report = report("--model=resnet50", "--steps=3", "--servers=2");

    // 25,557,032 parameters of 4 bytes, 2 workers, 3 steps there and back and the first pull.
    long bytes = 25_557_032L * 4 * 2 * 3 * 2;
    assertThat(report.get("bytesMoved").longValue()).isBetween(bytes, bytes * 7 / 6);
    assertThat(report.get("parameterBytes").longValue()).isEqualTo(102_228_128);
    assertThat(report.has("accuracy")).isFalse();
  }

  @Test
  void aKilledWorkerEndsTheOthersWithItsName() throws Exception {
    try (var run = TrainerProcess.start("--model=resnet50", "--steps=100000")) {
      run.awaitLine("step 2/");
      run.child("worker 1").destroyForcibly();

      assertThat(run.awaitExit()).isEqualTo(1);
      assertThat(run.output())
          .contains("worker 1 was killed (exit code 137, signal 9)")
          .containsPattern("\\[worker 0\\] error: .*worker 1 .*was lost")
          .contains("error: ");
      assertThat(run.livingChildren()).isEmpty();
    }
  }

  @Test
  void anElasticRunEndsWellWithoutAKilledWorker() throws Exception {
    Path report = folder.resolve("report.json");
    try (var run =
        TrainerProcess.start(
            "--model=resnet50", "--steps=30", "--elastic", "--workers=3", "--report=" + report)) {
      run.awaitLine("step 2/");
      run.child("worker 1").destroyForcibly();

      assertThat(run.awaitExit()).isZero();
      assertThat(run.output()).contains("the other workers go on", "lost on the way: worker 1");
    }
    JsonNode json = new JsonMapper().readTree(Files.readString(report));
    assertThat(json.get("lostWorkers").get(0).stringValue()).isEqualTo("worker 1");
    assertThat(json.get("steps").intValue()).isEqualTo(30);
  }

  @Test
  void aRunToldToEndEndsAllItsProcesses() throws Exception {
    try (var run = TrainerProcess.start("--model=resnet50", "--steps=100000")) {
      run.awaitLine("step 2/");

      run.process().destroy();

      assertThat(run.awaitExit()).isEqualTo(143);
      assertThat(run.livingChildren()).isEmpty();
    }
  }

  @Test
  void aWrongOptionEndsTheProgramWithTheListOfOptions() throws Exception {
    try (var run = TrainerProcess.start("--wokers=2")) {
      assertThat(run.awaitExit()).isEqualTo(2);
      assertThat(run.output()).contains("error: unknown option --wokers", "--workers=N");
    }
  }

  @Test
  void aRoleOnAnotherHostNeedsASecret() throws Exception {
    try (var run = TrainerProcess.start("--role=server")) {
      assertThat(run.awaitExit()).isEqualTo(1);
      assertThat(run.output()).contains("error: set the environment variable MAESTRO_SECRET");
    }
  }

  private JsonNode report(String... options) throws Exception {
    Path report = Files.createTempFile(folder, "report", ".json");
    String[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = "--report=" + report;
    try (var run = TrainerProcess.start(all)) {
      assertThat(run.awaitExit()).as(run.output()).isZero();
    }
    return new JsonMapper().readTree(Files.readString(report));
  }
}
