package io.maestro.trainer.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.maestro.trainer.options.TrainerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a run did; {@code --report} writes it as JSON.
 *
 * @param model what was trained or synchronised
 * @param transport what moved the bytes; {@code none} for a single process
 * @param workers at the start
 * @param servers parameter servers
 * @param batch images in a step over all workers
 * @param seed decided split, start and batches
 * @param accuracy share of the test images named rightly, 0 to 1; absent when nothing is trained
 * @param steps synchronous steps
 * @param parameterBytes size of the flat vector
 * @param bytesMoved payload of gradients and parameters, over all workers
 * @param pathShares each path's part of it, in the order of the paths; they sum to 1
 * @param syncMsP50 median time of one worker's push and pull, in ms
 * @param syncMsP99 99th percentile of it
 * @param syncMsMax the longest
 * @param syncSeconds time a worker waited for synchronisation, on average over the workers
 * @param megabytesPerSecond bytes of all workers per second waited, in 10^6 bytes
 * @param lostChunks chunks sent that never arrived on any path
 * @param lostWorkers workers lost on the way, in an elastic run
 * @param trainSeconds from the first step to the last
 * @param wallSeconds from the start of the program to the end of the last step
 * @param intervals the lines of progress as numbers
 * @param lossCurve loss of each step, the mean over the workers
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunReport(
    String model,
    String transport,
    int workers,
    int servers,
    int batch,
    long seed,
    @Nullable Double accuracy,
    int steps,
    long parameterBytes,
    long bytesMoved,
    List<Double> pathShares,
    double syncMsP50,
    double syncMsP99,
    double syncMsMax,
    double syncSeconds,
    double megabytesPerSecond,
    long lostChunks,
    List<String> lostWorkers,
    double trainSeconds,
    double wallSeconds,
    List<Line> intervals,
    List<Double> lossCurve) {

  /**
   * An epoch or a step in the report.
   *
   * @param number counts from 1
   * @param loss mean over its steps
   * @param accuracy at its end, 0 to 1
   * @param syncMsP50 median time of a push and pull, in ms
   * @param megabytesPerSecond see {@link RunReport#megabytesPerSecond()}
   * @param seconds how long it took
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Line(
      int number,
      @Nullable Double loss,
      @Nullable Double accuracy,
      double syncMsP50,
      double megabytesPerSecond,
      double seconds) {

    private static Line of(Interval interval) {
      return new Line(
          interval.number(),
          interval.loss(),
          interval.accuracy(),
          interval.sync().latencies().ms(50),
          interval.sync().megabytesPerSecond(),
          interval.seconds());
    }
  }

  /**
   * What the report cannot know from the workers.
   *
   * @param transport what moved the bytes
   * @param parameterBytes size of the flat vector
   * @param lostWorkers in words
   * @param wallSeconds since the start of the program
   */
  public record Circumstances(
      String transport, long parameterBytes, List<String> lostWorkers, double wallSeconds) {}

  /** The report of a run from the results of the workers that came to its end. */
  public static RunReport of(
      TrainerOptions.Job job,
      Circumstances circumstances,
      List<Interval> intervals,
      List<WorkerResult> results) {
    SyncFigures sync = SyncFigures.sum(results.stream().map(WorkerResult::sync).toList());
    Latencies latencies = sync.latencies();
    return new RunReport(
        job.model(),
        circumstances.transport(),
        job.workers(),
        job.servers(),
        job.batch(),
        job.seed(),
        results.stream()
            .map(WorkerResult::accuracy)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null),
        results.stream().mapToInt(WorkerResult::steps).max().orElse(0),
        circumstances.parameterBytes(),
        sync.moved().bytes(),
        sync.pathShares(),
        latencies.ms(50),
        latencies.ms(99),
        latencies.ms(100),
        sync.syncSeconds(),
        sync.megabytesPerSecond(),
        sync.moved().lostChunks(),
        circumstances.lostWorkers(),
        results.stream().mapToDouble(WorkerResult::seconds).max().orElse(0),
        circumstances.wallSeconds(),
        intervals.stream().map(Line::of).toList(),
        meanLosses(results));
  }

  private static List<Double> meanLosses(List<WorkerResult> results) {
    int steps = results.stream().mapToInt(result -> result.losses().size()).min().orElse(0);
    var means = new ArrayList<Double>();
    for (int step = 0; step < steps; step++) {
      int index = step;
      means.add(
          results.stream()
              .mapToDouble(result -> result.losses().get(index))
              .average()
              .orElseThrow());
    }
    return means;
  }
}
