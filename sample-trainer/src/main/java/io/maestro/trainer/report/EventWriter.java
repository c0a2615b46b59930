package io.maestro.trainer.report;

import java.io.PrintStream;

/** Tells a supervising process everything as event lines. */
public final class EventWriter implements RunListener {

  private final EventLines lines;
  private final PrintStream out;

  /** Writes to the given stream, which is flushed after each event. */
  public EventWriter(EventLines lines, PrintStream out) {
    this.lines = lines;
    this.out = out;
  }

  @Override
  public void listening(String address) {
    write(new ProcessEvent.Listening(address));
  }

  @Override
  public void started() {
    write(new ProcessEvent.Started());
  }

  @Override
  public void note(String text) {
    write(new ProcessEvent.Note(text));
  }

  @Override
  public void ended(Interval interval) {
    write(new ProcessEvent.Ended(interval));
  }

  @Override
  public void finished(WorkerResult result) {
    write(new ProcessEvent.Finished(result));
  }

  private void write(ProcessEvent event) {
    out.println(lines.line(event));
    out.flush();
  }
}
