package io.maestro.trainer.report;

import org.jspecify.annotations.Nullable;

/** Passes everything on to two. */
public record Both(RunListener first, RunListener second) implements RunListener {

  @Override
  public void listening(String address) {
    first.listening(address);
    second.listening(address);
  }

  @Override
  public void started() {
    first.started();
    second.started();
  }

  @Override
  public void note(String text) {
    first.note(text);
    second.note(text);
  }

  @Override
  public void stepped(long step, @Nullable Double loss) {
    first.stepped(step, loss);
    second.stepped(step, loss);
  }

  @Override
  public void ended(Interval interval) {
    first.ended(interval);
    second.ended(interval);
  }

  @Override
  public void finished(WorkerResult result) {
    first.finished(result);
    second.finished(result);
  }
}
