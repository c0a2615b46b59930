package io.maestro.trainer.report;

import java.io.PrintStream;
import java.util.List;

/** Shows a person how the run does. Any thread may call; lines are not mixed. */
public final class Terminal implements RunListener {

  private final PrintStream out;
  private final ProgressText text;

  /** Writes to the given stream, in characters that it can show. */
  public Terminal(PrintStream out) {
    this.out = out;
    this.text = new ProgressText(out.charset());
  }

  @Override
  public void listening(String address) {
    note("listening on " + address);
  }

  @Override
  public void started() {
    note("all workers have joined");
  }

  @Override
  public void note(String words) {
    out.println(words);
    out.flush();
  }

  @Override
  public void ended(Interval interval) {
    note(text.line(interval));
  }

  /** Nothing: {@link #summary} says it. */
  @Override
  public void finished(WorkerResult result) {}

  /** Shows what the run did. */
  public void summary(RunReport report) {
    List<String> lines = text.summary(report);
    lines.forEach(this::note);
  }
}
