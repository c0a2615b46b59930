package io.maestro.trainer.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * A supervised process's line to its parent: the standard input. Its first line is the secret of
 * the run, which so appears in no list of processes and no environment; its end is the parent's.
 */
public final class ParentWatch {

  private final BufferedReader input;

  /** Reads from the given stream, the standard input. */
  public ParentWatch(InputStream input) {
    this.input = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
  }

  /**
   * The secret. Blocks until the parent has written it.
   *
   * @throws IllegalStateException when the parent is gone already
   */
  public String secret() {
    try {
      String line = input.readLine();
      if (line != null) {
        return line;
      }
    } catch (IOException e) {
      throw new IllegalStateException("the parent process cannot be heard", e);
    }
    throw new IllegalStateException("the parent process is gone");
  }

  /** Runs an action, on a thread of its own, once the parent is gone. */
  public void onEnd(Runnable action) {
    listen(line -> {}, action);
  }

  /**
   * Hears the parent, on a thread of its own.
   *
   * @param onLine takes each line that it writes
   * @param onEnd runs once it is gone
   */
  public void listen(Consumer<String> onLine, Runnable onEnd) {
    Thread.ofPlatform()
        .daemon()
        .name("parent-watch")
        .start(
            () -> {
              try {
                input.lines().forEach(onLine);
              } catch (UncheckedIOException e) {
                // The line is broken, which means the same.
              }
              onEnd.run();
            });
  }
}
