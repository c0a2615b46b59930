package io.maestro.trainer.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that lives no longer than this one: its standard input stays open as long as we do. */
public final class ChildProcess {

  private final String name;
  private final Process process;

  private ChildProcess(String name, Process process) {
    this.name = name;
    this.process = process;
  }

  /** Hears what a child does; called by threads of the child's own. */
  public interface Listener {

    /** A line of its standard output or error. */
    void line(String child, String text);

    /** It has ended and all its lines were heard. */
    void exited(String child, int code);
  }

  /**
   * Starts a process.
   *
   * @param name how it is called in messages
   * @param command program and arguments, seen by every user of the machine
   * @param secret sent as the first line of its standard input
   */
  public static ChildProcess start(
      String name, List<String> command, String secret, Listener listener) {
    try {
      var child = new ChildProcess(name, new ProcessBuilder(command).start());
      child.tell(secret);
      child.listen(listener);
      return child;
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be started: " + e.getMessage(), e);
    }
  }

  /** How it is called in messages. */
  public String name() {
    return name;
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  /** Asks it to end: by the end of its input, and by a signal. */
  void askToEnd() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It is gone, as it should be.
    }
    process.destroy();
  }

  /** Waits for its end, and ends it by force after the patience. Blocks. */
  void ensureEnd(Duration patience) {
    try {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Writes a line to its standard input. Blocks while it does not read. */
  synchronized void tell(String line) {
    OutputStream input = process.getOutputStream();
    try {
      input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      input.flush();
    } catch (IOException e) {
      // It ended at once: its exit code and output, heard below, say why.
    }
  }

  private void listen(Listener listener) {
    Thread errors = reader(process.getErrorStream(), listener);
    Thread output = reader(process.getInputStream(), listener);
    Thread.ofVirtual()
        .name(name + "-exit")
        .start(
            () -> {
              try {
                int code = process.waitFor();
                output.join();
                errors.join();
                listener.exited(name, code);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private Thread reader(InputStream stream, Listener listener) {
    return Thread.ofVirtual()
        .name(name + "-output")
        .start(
            () -> {
              var reader = new InputStreamReader(stream, StandardCharsets.UTF_8);
              try (var lines = new BufferedReader(reader)) {
                lines.lines().forEach(line -> listener.line(name, line));
              } catch (IOException | UncheckedIOException e) {
                // Ended by force in the middle of a line: the exit code says the rest.
              }
            });
  }
}
