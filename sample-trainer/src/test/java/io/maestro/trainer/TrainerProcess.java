package io.maestro.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.trainer.process.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The program, started as a user starts it. */
final class TrainerProcess implements AutoCloseable {

  private static final Pattern CHILD = Pattern.compile("\\[(.*)\\] process (\\d+)");
  private static final int PATIENCE_SECONDS = 120;

  private final Process process;
  private final Queue<String> output = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final ConcurrentHashMap<String, ProcessHandle> children = new ConcurrentHashMap<>();
  private final Thread reader;

  private TrainerProcess(Process process) {
    this.process = process;
    reader = Thread.ofPlatform().daemon().start(this::read);
  }

  static TrainerProcess start(String... options) throws IOException {
    List<String> command =
        JavaCommand.of(
            TrainerApplication.class,
            List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"),
            List.of(options));
    return new TrainerProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  Process process() {
    return process;
  }

  String output() {
    return String.join("\n", output);
  }

  /** One of the processes that the program has started. */
  ProcessHandle child(String name) {
    return children.get(name);
  }

  List<ProcessHandle> livingChildren() {
    return children.values().stream().filter(ProcessHandle::isAlive).toList();
  }

  /** Waits for a line that starts so, and returns it. */
  String awaitLine(String start) throws InterruptedException {
    while (true) {
      String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(line).as("waiting for '%s' after:%n%s", start, output()).isNotNull();
      if (line.startsWith(start)) {
        return line;
      }
    }
  }

  int awaitExit() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as(output()).isTrue();
    reader.join();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    children.values().forEach(ProcessHandle::destroyForcibly);
  }

  private void read() {
    try (BufferedReader reader = process.inputReader()) {
      reader.lines().forEach(this::hear);
    } catch (IOException e) {
      output.add(e.toString());
    }
  }

  private void hear(String line) {
    output.add(line);
    Matcher matcher = CHILD.matcher(line);
    if (matcher.matches()) {
      ProcessHandle.of(Long.parseLong(matcher.group(2)))
          .ifPresent(handle -> children.put(matcher.group(1), handle));
    }
    lines.add(line);
  }
}
