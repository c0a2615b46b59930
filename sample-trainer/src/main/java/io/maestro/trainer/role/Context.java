package io.maestro.trainer.role;

import io.maestro.trainer.options.Role;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.report.RunRecord;
import io.maestro.trainer.report.RunReport;
import io.maestro.trainer.sync.Transport;
import io.maestro.verbs.NanoClock;
import java.util.List;

/**
 * What every role works with.
 *
 * @param options the command line
 * @param secret what the processes of the run know; empty when the role needs none
 * @param transport what carries gradients and parameters
 * @param listener hears how it goes and keeps it for the report
 * @param clock measures durations
 * @param startNs when the program started, by that clock
 */
public record Context(
    TrainerOptions options,
    String secret,
    Transport transport,
    RunRecord listener,
    NanoClock clock,
    long startNs) {

  private static final double NS_PER_SECOND = 1e9;

  /** Seconds since the program started. */
  double secondsSinceStart() {
    return secondsSince(startNs);
  }

  /** Seconds since a moment of the clock. */
  double secondsSince(long momentNs) {
    return (clock.nanoTime() - momentNs) / NS_PER_SECOND;
  }

  /**
   * The report of a run that is over.
   *
   * @param lost workers that an elastic run has lost, in words
   */
  public RunReport report(List<String> lost) {
    TrainerOptions.Job job = options.job();
    String carrier = options.role() == Role.SINGLE ? "none" : transport.name();
    long bytes = new Task(job).shape().bytes();
    return listener.report(
        job, new RunReport.Circumstances(carrier, bytes, lost, secondsSinceStart()));
  }

  /** Hides the secret. */
  @Override
  public String toString() {
    return "Context[options=" + options + "]";
  }
}
