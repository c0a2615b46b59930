package io.maestro.trainer.report;

import io.maestro.trainer.options.TrainerOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps what is heard for the report, and passes it on. Used by one thread. */
public final class RunRecord implements RunListener {

  private final RunListener next;
  private final List<Interval> intervals = new ArrayList<>();
  private final List<WorkerResult> results = new ArrayList<>();

  /** A record in front of a listener. */
  public RunRecord(RunListener next) {
    this.next = next;
  }

  @Override
  public void listening(String address) {
    next.listening(address);
  }

  @Override
  public void started() {
    next.started();
  }

  @Override
  public void note(String text) {
    next.note(text);
  }

  @Override
  public void stepped(long step, @Nullable Double loss) {
    next.stepped(step, loss);
  }

  @Override
  public void ended(Interval interval) {
    intervals.add(interval);
    next.ended(interval);
  }

  @Override
  public void finished(WorkerResult result) {
    results.add(result);
    next.finished(result);
  }

  /** Whether a worker has come to its end. */
  public boolean hasResults() {
    return !results.isEmpty();
  }

  /** The report of what was heard. */
  public RunReport report(TrainerOptions.Job job, RunReport.Circumstances circumstances) {
    return RunReport.of(job, circumstances, intervals, results);
  }
}
