package io.maestro.trainer.role;

import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.process.ChildProcess;
import io.maestro.trainer.process.ExitCodes;
import io.maestro.trainer.process.ProcessGroup;
import io.maestro.trainer.report.EventLines;
import io.maestro.trainer.report.ProcessEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs servers and workers as processes of this machine and shows how they do. */
public final class LocalRole {

  /** System property that tells a process to heed its parent and to report as event lines. */
  public static final String SUPERVISED = "maestro.trainer.supervised";

  /** How long the others may take to say themselves what is wrong once one has failed. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final BlockingQueue<Occurrence> occurrences = new LinkedBlockingQueue<>();
  private final Map<String, String> addresses = new HashMap<>();
  private final Set<String> running = new HashSet<>();
  private final List<String> lost = new ArrayList<>();
  private final Context context;
  private final TrainerOptions.Job job;
  private final ChildCommand commands;
  private final EventLines lines;
  private final Spectator spectator;
  private final WorkerMerge merge;
  private final ProcessGroup group = new ProcessGroup();
  private boolean started;
  private @Nullable String failure;
  private long failureNs;

  private LocalRole(Context context, ChildCommand commands, EventLines lines, Spectator spectator) {
    this.spectator = spectator;
    this.context = context;
    this.job = context.options().job();
    this.commands = commands;
    this.lines = lines;
    this.merge = new WorkerMerge(context.listener());
  }

  /** What children do, brought to the one thread that decides. */
  private sealed interface Occurrence {
    record Line(String child, String text) implements Occurrence {}

    record Exit(String child, int code) implements Occurrence {}
  }

  /**
   * Blocks until all processes have ended.
   *
   * @param mainClass what the processes run
   * @param spectator watches them
   * @return the workers that an elastic run has lost, in words
   * @throws RunFailedException when a process failed
   */
  public static List<String> run(
      Context context, Class<?> mainClass, EventLines lines, Spectator spectator) {
    var commands = new ChildCommand(mainClass, context.options());
    return new LocalRole(context, commands, lines, spectator).run();
  }

  private List<String> run() {
    announce();
    spectator.begins(group::tell);
    try (group) {
      for (int index = 0; index < job.servers(); index++) {
        start(server(index), commands.server(index));
      }
      if (job.allReduces()) {
        startWorkers(FreePorts.onLoopback(job.workers()));
      }
      watch();
      if (group.isClosed()) {
        throw RunFailedException.fromOutside();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RunFailedException("the run was interrupted");
    }
    if (failure != null) {
      throw new RunFailedException(failure);
    }
    return lost;
  }

  private void watch() throws InterruptedException {
    while (!running.isEmpty()) {
      Occurrence next = next();
      if (next == null) {
        return;
      }
      handle(next);
    }
  }

  private void announce() {
    Task task = new Task(job);
    String what =
        String.format(
            Locale.ROOT,
            "%s: %,d parameters, %.1f MB; %s, %d workers, %d path(s), seed %d",
            job.model(),
            task.shape().parameters(),
            task.shape().bytes() / 1e6,
            job.allReduces() ? "all-reduce" : job.servers() + " server(s)",
            job.workers(),
            job.paths(),
            job.seed());
    context.listener().note(what);
  }

  private static String server(int index) {
    return "server " + index;
  }

  private static String worker(int rank) {
    return "worker " + rank;
  }

  private void start(String name, List<String> command) {
    running.add(name);
    ChildProcess child = group.start(name, command, context.secret(), new Ears());
    context.listener().note("[%s] process %d".formatted(name, child.pid()));
  }

  /** Puts what children do into the queue. */
  private final class Ears implements ChildProcess.Listener {

    @Override
    public void line(String child, String text) {
      occurrences.add(new Occurrence.Line(child, text));
    }

    @Override
    public void exited(String child, int code) {
      occurrences.add(new Occurrence.Exit(child, code));
    }
  }

  /** The next occurrence; null when a failed run has had its time for last words. */
  private @Nullable Occurrence next() throws InterruptedException {
    if (failure == null) {
      return occurrences.take();
    }
    long leftNs = LAST_WORDS.toNanos() - (context.clock().nanoTime() - failureNs);
    return occurrences.poll(leftNs, TimeUnit.NANOSECONDS);
  }

  private void handle(Occurrence occurrence) {
    switch (occurrence) {
      case Occurrence.Line line ->
          lines
              .event(line.text())
              .ifPresentOrElse(
                  event -> handle(line.child(), event), () -> show(line.child(), line.text()));
      case Occurrence.Exit exit -> exited(exit.child(), exit.code());
    }
  }

  private void show(String child, String text) {
    if (!group.isClosed()) {
      context.listener().note("[" + child + "] " + text);
    }
  }

  private void handle(String child, ProcessEvent event) {
    spectator.heard(child, event);
    switch (event) {
      case ProcessEvent.Listening listening -> listening(child, listening.address());
      case ProcessEvent.Started started -> started();
      case ProcessEvent.Note note -> show(child, note.text());
      case ProcessEvent.Stepped stepped -> {
        // For the spectator, as the next two.
      }
      case ProcessEvent.Sampled sampled -> {}
      case ProcessEvent.PathChanged changed -> {}
      case ProcessEvent.Ended ended -> merge.ended(child, ended.interval());
      case ProcessEvent.Finished finished -> context.listener().finished(finished.result());
    }
  }

  private void listening(String child, String address) {
    show(child, "listens on " + address);
    addresses.put(child, address);
    if (addresses.size() == job.servers()) {
      List<String> servers = new ArrayList<>();
      for (int index = 0; index < job.servers(); index++) {
        servers.add(addresses.get(server(index)));
      }
      startWorkers(servers);
    }
  }

  private void startWorkers(List<String> peers) {
    for (int rank = 0; rank < job.workers(); rank++) {
      merge.add(worker(rank));
      start(worker(rank), commands.worker(rank, peers));
    }
  }

  private void started() {
    if (!started) {
      started = true;
      context.listener().started();
    }
  }

  private void exited(String child, int code) {
    running.remove(child);
    spectator.exited(child, code == ExitCodes.DONE);
    if (code == ExitCodes.DONE) {
      return;
    }
    if (group.isClosed()) {
      // Told to end, as all others are: whatever it says on its way out is no news.
      return;
    }
    String end = child + " " + ExitCodes.inWords(code);
    context.listener().note(end);
    if (canDoWithout(child)) {
      lost.add(child);
      merge.remove(child);
      context.listener().note("the other workers go on");
    } else if (failure == null) {
      failure = end;
      failureNs = context.clock().nanoTime();
    }
  }

  private boolean canDoWithout(String child) {
    boolean others = running.stream().anyMatch(name -> name.startsWith("worker "));
    return job.elastic() && started && failure == null && child.startsWith("worker ") && others;
  }
}
