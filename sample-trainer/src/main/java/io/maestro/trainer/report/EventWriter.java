package io.maestro.trainer.report;

import io.maestro.verbs.NanoClock;
import io.maestro.verbs.SystemClock;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells a supervising process everything as event lines. Any thread; lines are not mixed. */
public final class EventWriter implements RunListener {

  /** Four times a second. */
  private static final long STEPS_NS = 250_000_000;

  private final NanoClock clock = SystemClock.INSTANCE;
  private final EventLines lines;
  private final PrintStream out;
  private long steppedNs = clock.nanoTime() - STEPS_NS;

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

  /** Tells no more often than a person can see. */
  @Override
  public void stepped(long step, @Nullable Double loss) {
    long nowNs = clock.nanoTime();
    if (nowNs - steppedNs >= STEPS_NS) {
      steppedNs = nowNs;
      write(new ProcessEvent.Stepped(step, loss));
    }
  }

  /** How the paths of this process fare. */
  public void sampled(List<PathFigures> paths) {
    write(new ProcessEvent.Sampled(clock.nanoTime(), paths));
  }

  /** Something happened to a path of this process. */
  public void pathChanged(int path, ProcessEvent.Change change, String what) {
    write(new ProcessEvent.PathChanged(path, change, what));
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
