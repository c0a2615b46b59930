package io.maestro.testing.fabric;

import io.maestro.verbs.SystemClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A program that runs in a node. Its output, with its error output, is kept by line and printed
 * when something that was awaited does not come. Closing it kills it.
 */
public final class NodeProcess implements AutoCloseable {
  private final String what;
  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private boolean ended;

  private NodeProcess(String what, Process process) {
    this.what = what;
    this.process = process;
  }

  /** Starts a program on this machine, outside of every fabric. */
  public static NodeProcess start(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      NodeProcess started = new NodeProcess(String.join(" ", command), process);
      Thread.ofPlatform().daemon().name("output of " + process.pid()).start(started::read);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        synchronized (this) {
          lines.add(line);
          notifyAll();
        }
      }
    } catch (IOException closed) {
      // The process was killed: its output ends here.
    }
    synchronized (this) {
      ended = true;
      notifyAll();
    }
  }

  /** All lines so far. */
  public synchronized List<String> output() {
    return List.copyOf(lines);
  }

  /**
   * Waits for a line that has a match of {@code regex}, and returns it.
   *
   * @throws FabricException when the process ends, or the time is over, before it comes
   */
  public String awaitLine(String regex, Duration limit) throws InterruptedException {
    return awaitLine("that matches " + regex, Pattern.compile(regex).asPredicate(), limit);
  }

  /**
   * Waits for a line, printed before or after this call.
   *
   * @param what tells which line, for the failure
   */
  public synchronized String awaitLine(String what, Predicate<String> wanted, Duration limit)
      throws InterruptedException {
    long end = SystemClock.INSTANCE.nanoTime() + limit.toNanos();
    for (int next = 0; ; next++) {
      while (next == lines.size()) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(end - SystemClock.INSTANCE.nanoTime());
        if (ended || leftMs <= 0) {
          throw new FabricException(describe("no line " + what));
        }
        wait(leftMs);
      }
      if (wanted.test(lines.get(next))) {
        return lines.get(next);
      }
    }
  }

  /**
   * Waits for its end and returns its output.
   *
   * @throws FabricException when it fails, or does not end in time, in which case it is killed
   */
  public List<String> awaitSuccess(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      close();
      throw new FabricException(describe("did not end within " + limit));
    }
    synchronized (this) {
      while (!ended) {
        wait();
      }
    }
    if (process.exitValue() != 0) {
      throw new FabricException(describe("exit status " + process.exitValue()));
    }
    return output();
  }

  /** The process itself. */
  public Process process() {
    return process;
  }

  private synchronized String describe(String failure) {
    return what + ": " + failure + "; its output:\n" + String.join("\n", lines);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
